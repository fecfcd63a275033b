import type { Pool } from 'pg';
import { lastOfFormerSeries } from './migrate.ts';
import { readMigrations } from './migrations.ts';
import { digestOf, readSqlFiles } from './sql-files.ts';

/** What the schema of a database has, compared with this version. */
export interface SchemaState {
  /** `none`: nothing was ever migrated; `former`: by the earlier series, whose last version has to start once */
  kind: 'none' | 'former' | 'known';
  /** migrations of this version that the database does not have */
  pending: string[];
  /** migrations, or functions, of a version that is later than this one */
  later: string[];
  /** migrations that were changed after they had been applied */
  changed: string[];
}

/** What `migrate` would find. Reads only. */
export async function readSchemaState(pool: Pick<Pool, 'query'>): Promise<SchemaState> {
  const migrations = await readMigrations();
  const names = migrations.map(({ name }) => name);
  const tables = await pool.query<{ isPrepared: boolean; hasFormer: boolean }>(
    `SELECT to_regclass('"_Migration"') IS NOT NULL AS "isPrepared", to_regclass('_prisma_migrations') IS NOT NULL AS "hasFormer"`,
  );
  const nothing = { pending: names, later: [], changed: [] };
  if (!tables.rows[0]?.isPrepared) {
    if (!tables.rows[0]?.hasFormer) return { kind: 'none', ...nothing };
    const { rowCount } = await pool.query(
      'SELECT FROM _prisma_migrations WHERE "migration_name" = $1 AND "finished_at" IS NOT NULL',
      [lastOfFormerSeries],
    );
    return { kind: rowCount === 0 ? 'former' : 'known', ...nothing };
  }
  const { rows } = await pool.query<{ name: string; digest: string }>(
    'SELECT "name", "digest" FROM "_Migration"',
  );
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const { digest, history } = await readSqlFiles();
  const files = await pool.query<{ digest: string }>('SELECT "digest" FROM "_SqlFiles"');
  const stored = files.rows[0]?.digest;
  const isSealed = stored !== undefined && /^[0-9a-f]+$/.test(stored);
  const isKnown = !isSealed || stored === digest || history.includes(stored);
  const later = rows.flatMap(({ name }) => (names.includes(name) ? [] : [name]));
  return {
    kind: 'known',
    pending: names.filter((name) => !applied.has(name)),
    later: isKnown ? later : [...later, 'functions and triggers'],
    changed: migrations.flatMap(({ name, sql }) =>
      [undefined, digestOf(sql)].includes(applied.get(name)) ? [] : [name],
    ),
  };
}

/** The extensions that migrations create. */
export async function neededExtensions(): Promise<string[]> {
  const texts = await readMigrations();
  const named = texts.flatMap(({ sql }) => [
    ...sql.matchAll(/^CREATE EXTENSION (?:IF NOT EXISTS )?"?(\w+)"?/gim),
  ]);
  return [...new Set(named.map(([, name = '']) => name))];
}
