import type { Client } from 'pg';
import { applySqlFiles } from './apply-sql-files.ts';
import { openClient } from './connect.ts';
import { describing, inTransaction } from './migration-steps.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { retryConflicts } from './retry.ts';
import { digestOf, readSqlFiles } from './sql-files.ts';

/** Any constant that no other program uses on this database. */
const migrationLock = 7_203_114_901;

/** The last migration of the earlier series, which the first one of this series replaces. */
export const lastOfFormerSeries = '20261126231000_order_of_events';

/**
 * Brings a database to the schema of this version: applies the migrations that it does not have yet, and then creates, replaces and removes
 * functions and triggers as the files of SQL say. Several processes may call this at once: an advisory lock lets one work while the others
 * wait and then find nothing to do. A database of a later version is left as it is.
 *
 * @param tell what the people who run the installation have to know about their data, a sentence each
 * @returns the names of what this call applied
 * @throws Error when the database was set up by a version whose migrations are gone, or a migration that was applied has changed since
 */
export async function migrate(
  databaseUrl: string,
  tell: (message: string) => void = () => undefined,
): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl });
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING' && message) tell(message);
  });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await prepare(client);
    const files = await readSqlFiles();
    const pending = await findPending(client, await readMigrations());
    const last = pending.at(-1);
    for (const migration of pending.slice(0, -1)) await inTransaction(client, () => apply(client, migration));
    // The tables and functions of a version appear together. The transaction can deadlock with statements that write to these tables.
    const changed = await retryConflicts(() =>
      inTransaction(client, async () => {
        if (last) await apply(client, last);
        return applySqlFiles(client, files);
      }),
    );
    return [...pending.map(({ name }) => name), ...changed];
  } finally {
    await client.end();
  }
}

/** What is applied, by migration and by function or trigger. */
const bookkeeping = `
CREATE TABLE "_Migration" ("name" text PRIMARY KEY, "digest" text NOT NULL, "appliedAt" timestamptz NOT NULL DEFAULT now());
CREATE TABLE "_SqlObject" ("kind" text NOT NULL, "name" text NOT NULL, "table" text NOT NULL, "digest" text NOT NULL,
  PRIMARY KEY ("kind", "name", "table"));
CREATE TABLE "_SqlFiles" ("one" boolean PRIMARY KEY DEFAULT true CHECK ("one"), "digest" text NOT NULL)`;

/** Creates the tables that record what has been applied. */
export async function prepare(client: Client): Promise<void> {
  const { rows } = await client.query<{ isPrepared: boolean; hasFormer: boolean }>(
    `SELECT to_regclass('"_Migration"') IS NOT NULL AS "isPrepared", to_regclass('_prisma_migrations') IS NOT NULL AS "hasFormer"`,
  );
  const [{ isPrepared, hasFormer } = { isPrepared: false, hasFormer: false }] = rows;
  if (isPrepared) return;
  await inTransaction(client, async () => {
    await client.query(bookkeeping);
    if (hasFormer) await takeOver(client);
  });
}

/** A database with all migrations of the earlier series has what the first one of this series creates. */
async function takeOver(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM _prisma_migrations WHERE "migration_name" = $1 AND "finished_at" IS NOT NULL',
    [lastOfFormerSeries],
  );
  if (rowCount === 0)
    throw new Error(
      `this database was set up by an earlier version: start the last version that has the migration ${lastOfFormerSeries} once, then this one`,
    );
  const [first] = await readMigrations();
  if (first)
    await client.query('INSERT INTO "_Migration" ("name", "digest") VALUES ($1, $2)', [
      first.name,
      digestOf(first.sql),
    ]);
  // All of them are ours: those of extensions belong to these.
  await client.query(`
    INSERT INTO "_SqlObject" ("kind", "name", "table", "digest")
    SELECT 'function', p.proname, '', '' FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION
    SELECT 'trigger', t.tgname, c.relname, '' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`);
  await client.query('DROP TABLE _prisma_migrations');
}

/**
 * The migrations that the database does not have yet.
 *
 * @throws Error when one that was applied has changed since
 */
export async function findPending(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; digest: string }>(
    'SELECT "name", "digest" FROM "_Migration"',
  );
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const changed = migrations.find(({ name, sql }) => ![undefined, digestOf(sql)].includes(applied.get(name)));
  if (changed)
    throw new Error(
      `the migration ${changed.name} has changed since it was applied: write a new migration instead of changing it`,
    );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Applies a migration within the transaction of the caller. */
export async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  await describing(`migration ${name}`, client.query(sql));
  await client.query('INSERT INTO "_Migration" ("name", "digest") VALUES ($1, $2)', [name, digestOf(sql)]);
}
