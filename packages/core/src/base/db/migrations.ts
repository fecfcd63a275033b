import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../prisma/migrations');

/**
 * How a migration is applied (decision 103).
 *
 * - `expand`: in one transaction that never waits long for a lock; the version before works with what it leaves
 * - `index`: `CREATE INDEX CONCURRENTLY`, outside of a transaction
 * - `backfill`: one statement for pieces of a table, while the installation works
 * - `contract`: removes what only earlier versions use, once none of them runs
 */
export const migrationKinds = ['expand', 'index', 'backfill', 'contract'] as const;

export type MigrationKind = (typeof migrationKinds)[number];

/** A change of tables, indexes and stored data, in the order of the names. */
export interface Migration {
  name: string;
  sql: string;
  kind: MigrationKind;
  /** of `backfill` and `contract`: the version that it comes with; none before it can use the database after a `contract` */
  version: string | null;
  /** of `backfill`: the table whose pieces the statement is run for */
  table: string | null;
}

/**
 * Reads the lines that a migration begins with, such as `-- kind: contract` and `-- version: 1.6.0`. Without them it is an expansion.
 *
 * @throws Error when they do not say what a migration of its kind needs
 */
export function migrationOf(name: string, sql: string): Migration {
  const said = new Map<string, string>();
  for (const line of sql.split('\n')) {
    const [, key, value] = /^-- (kind|version|table): (\S+)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) break;
    said.set(key, value);
  }
  const kind = migrationKinds.find((known) => known === (said.get('kind') ?? 'expand'));
  if (kind === undefined) throw new Error(`migration ${name}: there is no kind ${said.get('kind')}`);
  const version = said.get('version') ?? null;
  const table = said.get('table') ?? null;
  const needsVersion = kind === 'backfill' || kind === 'contract';
  if (needsVersion !== (version !== null) || (version !== null && !/^\d+\.\d+\.\d+$/.test(version)))
    throw new Error(
      `migration ${name}: a backfill and a contraction, and no other kind, have a line "-- version: 1.2.3"`,
    );
  if ((kind === 'backfill') !== (table !== null))
    throw new Error(`migration ${name}: a backfill, and no other kind, has a line "-- table: Name"`);
  return { name, sql, kind, version, table };
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => migrationOf(name, await readFile(join(folder, name, 'migration.sql'), 'utf8'))),
  );
}

/** The name of the schema of this version. */
export async function lastMigration(): Promise<string> {
  const last = (await readMigrations()).at(-1);
  if (!last) throw new Error('there are no migrations');
  return last.name;
}
