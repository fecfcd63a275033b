import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  apply,
  applyBackfill,
  applyContraction,
  applyIndexes,
  contractNow,
  withLocks,
} from './apply-migration.ts';
import { applySqlFiles } from './apply-sql-files.ts';
import { openClient } from './connect.ts';
import { inTransaction } from './migration-steps.ts';
import { type Migration, readMigrations } from './migrations.ts';
import {
  divide,
  misfitOf,
  readStoredSchema,
  recordSchema,
  refuseSkipped,
  SchemaError,
} from './schema-fit.ts';
import { digestOf, readSqlFiles } from './sql-files.ts';
import { version } from './version.ts';

/** Any constants that no other program uses on this database. */
const migrationLock = 7_203_114_901;
const deferredLock = 7_203_114_902;

/** The last migration of the earlier series, which the first one of this series replaces. */
export const lastOfFormerSeries = '20261126231000_order_of_events';

export interface MigrateOptions {
  /** what the people who run the installation have to know about their data, a sentence each */
  tell?(message: string): void;
  /** applies contractions although processes of earlier versions may still run */
  isForced?: boolean;
  /** those of another version, and that version: for tests of upgrades */
  migrations?: readonly Migration[];
  own?: string;
}

/**
 * Brings a database to the schema that this version needs: applies the migrations that it does not have yet, but those that follow while this
 * version runs, and creates, replaces and removes functions and triggers as the files of SQL say. Several processes may call this at once: one
 * works while the others wait and then find nothing to do. A database of a later version is left as it is.
 *
 * @returns the names of what this call applied
 * @throws SchemaError when this version cannot use the database, or cannot upgrade it
 * @throws Error when the database was set up by a version whose migrations are gone, or a migration that was applied has changed since
 */
export const migrate = (
  databaseUrl: string,
  { tell, isForced = false, migrations, own = version }: MigrateOptions = {},
): Promise<string[]> =>
  withClient(databaseUrl, tell, async (client) => {
    // A statement that waits for the lock would have a snapshot, for which the build of an index waits.
    while (!(await tryLock(client, migrationLock))) await sleep(100);
    await prepare(client);
    const all = migrations ?? (await readMigrations());
    const stored = await readStoredSchema(client);
    const misfit = misfitOf(own, stored);
    if (misfit !== null) throw new SchemaError(misfit);
    const pending = await findPending(client, all);
    const isNew = pending.length === all.length;
    const { needed } = divide(pending, own, isNew);
    if (!isNew) refuseSkipped(needed, own, stored);
    const files = await readSqlFiles();
    const record = () => recordSchema(client, all, own);
    // The tables and functions of a version appear together.
    const last = needed.findLast(({ kind }) => kind === 'expand');
    const applyLast = () =>
      withLocks(client, `migration ${last?.name ?? 'of functions'}`, async () => {
        if (last) await apply(client, last);
        const changed = await applySqlFiles(client, files);
        await record();
        return changed;
      });
    let changed: string[] | undefined;
    for (const one of needed) {
      if (one === last) changed = await applyLast();
      else if (one.kind === 'expand')
        await withLocks(client, `migration ${one.name}`, () => apply(client, one));
      else if (one.kind === 'index') await applyIndexes(client, one);
      else if (one.kind === 'backfill') await applyBackfill(client, one);
      else await contractNow(client, one, record, isForced || isNew);
    }
    changed ??= await applyLast();
    if (needed.at(-1) !== last) await inTransaction(client, record);
    return [...needed.map(({ name }) => name), ...changed];
  });

export interface Settled {
  applied: string[];
  /** what is left, in order */
  left: { name: string; reason: string }[];
}

/**
 * Applies the backfills and contractions that come with this version, in order, as far as that is possible now. One process works at a time.
 *
 * @param mayGoOn asked between pieces of a backfill
 */
export const settle = (
  databaseUrl: string,
  { tell, isForced = false, migrations, own = version }: MigrateOptions = {},
  mayGoOn: () => boolean = () => true,
): Promise<Settled> =>
  withClient(databaseUrl, tell, async (client) => {
    const all = migrations ?? (await readMigrations());
    const isMine = await tryLock(client, deferredLock);
    const { deferred } = divide(await findPending(client, all), own, false);
    const applied: string[] = [];
    const leave = (reason: string): Settled => ({
      applied,
      left: deferred.slice(applied.length).map(({ name }) => ({ name, reason })),
    });
    if (!isMine) return leave('another process works on it');
    const record = () => recordSchema(client, all, own);
    for (const one of deferred) {
      if (one.kind === 'backfill') {
        if (!(await applyBackfill(client, one, mayGoOn))) return leave('it goes on with the next start');
        await inTransaction(client, record);
      } else {
        const reason = await applyContraction(client, one, record, isForced);
        if (reason !== null) return leave(reason);
      }
      applied.push(one.name);
    }
    return { applied, left: [] };
  });

async function withClient<Result>(
  databaseUrl: string,
  tell: (message: string) => void = () => undefined,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'postrider migrate' });
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING' && message) tell(message);
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ isMine: boolean }>('SELECT pg_try_advisory_lock($1) AS "isMine"', [
    lock,
  ]);
  return rows[0]?.isMine === true;
}

/** What is applied, by migration and by function or trigger. */
const bookkeeping = `
CREATE TABLE "_Migration" ("name" text PRIMARY KEY, "digest" text NOT NULL, "appliedAt" timestamptz NOT NULL DEFAULT now());
CREATE TABLE "_SqlObject" ("kind" text NOT NULL, "name" text NOT NULL, "table" text NOT NULL, "digest" text NOT NULL,
  PRIMARY KEY ("kind", "name", "table"));
CREATE TABLE "_SqlFiles" ("one" boolean PRIMARY KEY DEFAULT true CHECK ("one"), "digest" text NOT NULL)`;

/** How far a backfill came that is not over. */
const progress = 'CREATE TABLE IF NOT EXISTS "_Backfill" ("name" text PRIMARY KEY, "after" uuid)';

/** Creates the tables that record what has been applied. */
export async function prepare(client: Client): Promise<void> {
  const { rows } = await client.query<{ isPrepared: boolean; hasFormer: boolean; hasProgress: boolean }>(
    `SELECT to_regclass('"_Migration"') IS NOT NULL AS "isPrepared", to_regclass('_prisma_migrations') IS NOT NULL AS "hasFormer",
       to_regclass('"_Backfill"') IS NOT NULL AS "hasProgress"`,
  );
  const [
    { isPrepared, hasFormer, hasProgress } = { isPrepared: false, hasFormer: false, hasProgress: false },
  ] = rows;
  if (isPrepared) {
    if (!hasProgress) await client.query(progress);
    return;
  }
  await inTransaction(client, async () => {
    await client.query(bookkeeping);
    await client.query(progress);
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
