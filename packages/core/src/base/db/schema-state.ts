import type { Pool } from 'pg';
import { lastOfFormerSeries } from './migrate.ts';
import { readMigrations } from './migrations.ts';
import { divide, misfitOf, readStoredSchema, type StoredSchema } from './schema-fit.ts';
import { digestOf, readSqlFiles } from './sql-files.ts';
import { version } from './version.ts';

/** What the schema of a database has, compared with this version. */
export interface SchemaState {
  /** `none`: nothing was ever migrated; `former`: by the earlier series, whose last version has to start once */
  kind: 'none' | 'former' | 'known';
  /** migrations that this version needs and the database does not have */
  pending: string[];
  /** migrations that follow while this version runs */
  deferred: string[];
  /** functions and triggers are those of an earlier version */
  hasOlderFunctions: boolean;
  stored: StoredSchema;
  /** why this version cannot use the database; null if it can */
  misfit: string | null;
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
  const stored = { version: null, minVersion: null };
  const compared = { later: [], changed: [], deferred: [], hasOlderFunctions: true, stored, misfit: null };
  const nothing = { pending: names, ...compared };
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
  const functions = files.rows[0]?.digest;
  const isSealed = functions !== undefined && /^[0-9a-f]+$/.test(functions);
  const isKnown = !isSealed || functions === digest || history.includes(functions);
  const later = rows.flatMap(({ name }) => (names.includes(name) ? [] : [name]));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const { needed, deferred } = divide(pending, version, rows.length === 0);
  const present = await readStoredSchema(pool);
  return {
    kind: 'known',
    pending: needed.map(({ name }) => name),
    deferred: deferred.map(({ name }) => name),
    hasOlderFunctions: isSealed && isKnown && functions !== digest,
    stored: present,
    misfit: misfitOf(version, present),
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
