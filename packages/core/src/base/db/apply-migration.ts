import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withAdvisoryLock } from './advisory-lock.ts';
import { describing, inTransaction } from './migration-steps.ts';
import type { Migration } from './migrations.ts';
import { databaseCode } from './retry.ts';
import { SchemaError } from './schema-fit.ts';
import { lowerLimit, slicesLock, upperLimit } from './slice-limits.ts';
import { digestOf, statementsOf } from './sql-files.ts';

/** Statements of the installation wait behind a migration that waits for a lock, so it never waits longer. */
const lockTimeoutMs = 2_000;
const lockTries = 20;
/** Between two tries, so that what waited behind the first goes on. */
const betweenTriesMs = 500;

export interface LockPatience {
  timeoutMs: number;
  tries: number;
  pauseMs: number;
}

const usualPatience: LockPatience = {
  timeoutMs: lockTimeoutMs,
  tries: lockTries,
  pauseMs: betweenTriesMs,
};

/** lock_not_available, deadlock_detected */
const mayWorkLater = new Set(['55P03', '40P01']);

/**
 * Runs a transaction that takes strong locks, again while it does not get them.
 *
 * @throws Error naming the migration when it did not get them in any of the tries
 */
export async function withLocks<Result>(
  client: Client,
  what: string,
  work: () => Promise<Result>,
  { timeoutMs, tries, pauseMs } = usualPatience,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await inTransaction(client, async () => {
        await client.query(`SET LOCAL lock_timeout = ${timeoutMs}`);
        return work();
      });
    } catch (error) {
      if (!mayWorkLater.has(databaseCode(error) ?? '')) throw error;
      if (tried >= tries)
        throw new Error(
          `${what} did not get its locks in ${tries} tries of ${timeoutMs / 1_000} s; end long transactions, and start again`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}

/** Notes that a migration was applied. */
export const note = (client: Client, { name, sql }: Migration): Promise<unknown> =>
  client.query('INSERT INTO "_Migration" ("name", "digest") VALUES ($1, $2)', [name, digestOf(sql)]);

/** Applies an expansion or a contraction within the transaction of the caller. */
export async function apply(client: Client, migration: Migration): Promise<void> {
  await describing(`migration ${migration.name}`, client.query(migration.sql));
  await note(client, migration);
}

const createsIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "([^"]+)" ON ("[^"]+")/m;
const dropsIndex = /^DROP INDEX CONCURRENTLY IF EXISTS "([^"]+)";$/m;

/**
 * Creates the indexes of a migration while the table is written to, one after the other. A process that ended while it did so leaves an index that
 * is not valid, which is dropped and made again.
 */
export async function applyIndexes(client: Client, migration: Migration): Promise<void> {
  const what = `migration ${migration.name}`;
  // A build waits for transactions that are older than it, however long they are.
  await client.query('SET lock_timeout = 0');
  for (const statement of statementsOf(migration.sql)) {
    const [, name, table] = createsIndex.exec(statement) ?? [];
    const [, dropped] = dropsIndex.exec(statement) ?? [];
    if (name !== undefined && table !== undefined) {
      if ((await slicesOf(client, table)).length === 0) await createIndex(client, what, name, statement);
      else
        await withAdvisoryLock(client, slicesLock, () =>
          createInSlices(client, what, { name, table, statement }),
        );
    } else if (dropped === undefined)
      throw new Error(
        `${what}: only CREATE [UNIQUE] INDEX CONCURRENTLY "name" ON "table" and DROP INDEX CONCURRENTLY IF EXISTS "name" belong in a migration of the kind index`,
      );
    else if (await isOfSlices(client, dropped))
      await withLocks(client, what, () => client.query(`DROP INDEX "${dropped}"`));
    else await describing(what, client.query(statement));
  }
  await inTransaction(client, () => note(client, migration));
}

async function createIndex(client: Client, what: string, name: string, statement: string): Promise<void> {
  const { rows } = await client.query<{ isValid: boolean }>(
    'SELECT "indisvalid" AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
    [name],
  );
  if (rows[0]?.isValid) return;
  if (rows[0]) await client.query(`DROP INDEX CONCURRENTLY "${name}"`);
  await describing(what, client.query(statement));
}

/** The slices of a table (decision 111), whose name is given in quotes. */
async function slicesOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS "name" FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1) ORDER BY 1`,
    [table],
  );
  return rows.map((row) => row.name);
}

async function isOfSlices(client: Client, index: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_class WHERE oid = to_regclass(quote_ident($1)) AND relkind = 'I'`,
    [index],
  );
  return rows.length > 0;
}

/**
 * Gives up a cut that another process has begun: none goes on with it while this session has the lock, and from its boundary on the limit would
 * refuse rows. It begins again on another day.
 */
async function giveUpCut(client: Client, what: string, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS "name" FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) AND pg_get_expr(c.relpartbound, c.oid) LIKE '%TO (MAXVALUE)'`,
    [table],
  );
  for (const { name } of rows)
    await withLocks(client, what, () =>
      client.query(
        `ALTER TABLE "${name}" DROP CONSTRAINT IF EXISTS "${lowerLimit(name)}", DROP CONSTRAINT IF EXISTS "${upperLimit(name)}"`,
      ),
    );
}

/**
 * PostgreSQL builds no index of the whole concurrently: one of each slice is, and the whole has it when all are attached. Meanwhile no slice is cut or
 * dropped: one that is attached without the index would be read under the locks of the cut.
 */
async function createInSlices(
  client: Client,
  what: string,
  { name, table, statement }: { name: string; table: string; statement: string },
): Promise<void> {
  await giveUpCut(client, what, table);
  const whole = statement
    .replace(' CONCURRENTLY "', ' IF NOT EXISTS "')
    .replace(` ON ${table}`, ` ON ONLY ${table}`);
  await withLocks(client, what, () => describing(what, client.query(whole)));
  for (const slice of await slicesOf(client, table)) {
    const own = name.replace(table.slice(1, -1), slice);
    const part = statement.replace(`"${name}" ON ${table}`, `"${own}" ON "${slice}"`);
    await createIndex(client, what, own, part);
    await withLocks(client, what, () => client.query(`ALTER INDEX "${name}" ATTACH PARTITION "${own}"`));
  }
}

/** Rows of a piece. */
export const pieceRows = 5_000;

/**
 * Runs the statement of a backfill for each piece of its table, in the order of ids: `$1` is the id before the piece, `$2` the last one of it. Each
 * piece is a transaction which also notes how far it came, so that another process goes on from there.
 *
 * @param mayGoOn asked between pieces
 * @returns whether all of the table was done
 */
export async function applyBackfill(
  client: Client,
  migration: Migration,
  mayGoOn: () => boolean = () => true,
  rows = pieceRows,
): Promise<boolean> {
  const { name, sql, table } = migration;
  await client.query('INSERT INTO "_Backfill" ("name") VALUES ($1) ON CONFLICT DO NOTHING', [name]);
  while (mayGoOn()) {
    const isOver = await inTransaction(client, async () => {
      const done = await client.query<{ after: string | null }>(
        'SELECT "after" FROM "_Backfill" WHERE "name" = $1 FOR UPDATE',
        [name],
      );
      const after = done.rows[0]?.after ?? '00000000-0000-0000-0000-000000000000';
      const piece = await client.query<{ id: string }>(
        `SELECT "id" FROM (SELECT "id" FROM "${table}" WHERE "id" > $1 ORDER BY "id" LIMIT ${rows}) p ORDER BY "id" DESC LIMIT 1`,
        [after],
      );
      const last = piece.rows[0]?.id;
      if (last === undefined) {
        await note(client, migration);
        await client.query('DELETE FROM "_Backfill" WHERE "name" = $1', [name]);
        return true;
      }
      await describing(`migration ${name}`, client.query(sql, [after, last]));
      await client.query('UPDATE "_Backfill" SET "after" = $2 WHERE "name" = $1', [name, last]);
      return false;
    });
    if (isOver) return true;
  }
  return false;
}

/** For how long no process of an earlier version may have been seen before a contraction. */
const unseenMinutes = 5;

/**
 * @returns why a contraction cannot be applied yet; null if it can
 */
export async function reasonToWait(client: Client, { version }: Migration): Promise<string | null> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"Process"') IS NOT NULL AS "exists"`,
  );
  if (!tables[0]?.exists) return null;
  const { rows } = await client.query<{ kind: string; host: string; version: string }>(
    `SELECT "kind", "host", "version" FROM "Process"
     WHERE "seenAt" > clock_timestamp() - ${unseenMinutes} * interval '1 minute'
       AND string_to_array(split_part("version", '-', 1), '.')::int[] < string_to_array($1, '.')::int[]
     ORDER BY "seenAt" DESC LIMIT 1`,
    [version],
  );
  const [seen] = rows;
  return seen
    ? `${seen.kind} on ${seen.host} of version ${seen.version} was seen within the last ${unseenMinutes} minutes`
    : null;
}

/**
 * Applies a contraction, unless a process of an earlier version may still run.
 *
 * @param withNoted within the same transaction
 * @returns why it was not applied; null if it was
 */
export async function applyContraction(
  client: Client,
  migration: Migration,
  withNoted: () => Promise<unknown>,
  isForced = false,
): Promise<string | null> {
  return withLocks(client, `migration ${migration.name}`, async () => {
    const reason = isForced ? null : await reasonToWait(client, migration);
    if (reason !== null) return reason;
    await apply(client, migration);
    await withNoted();
    return null;
  });
}

/** @throws SchemaError, for a contraction of an earlier version */
export async function contractNow(
  client: Client,
  migration: Migration,
  withNoted: () => Promise<unknown>,
  isForced: boolean,
): Promise<void> {
  const reason = await applyContraction(client, migration, withNoted, isForced);
  if (reason !== null)
    throw new SchemaError(
      `The migration ${migration.name} waits for processes of earlier versions to end: ${reason}. End them, or run: npm run admin -- migrate --contract`,
    );
}
