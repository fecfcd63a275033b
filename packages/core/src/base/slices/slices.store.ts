import { type Db, databaseCode, lowerLimit, Prisma, upperLimit } from '../db/index.ts';
import { type Bounds, boundsOf, byBounds, type SlicedTable } from './slices.rules.ts';

/** A name of the catalogue as SQL; never given from outside. */
const name = (text: string): Prisma.Sql => Prisma.raw(`"${text}"`);

export interface Slice extends Bounds {
  name: string;
  /** as of the last analysis or vacuum; -1 before the first */
  rows: number;
  /** with indexes */
  bytes: number;
  /** the id that all of its ids are below, by a constraint */
  before: { id: string; isValid: boolean } | null;
  /** so many changed rows lie between two analyses */
  analysisRows: number;
}

interface SliceRow {
  name: string;
  bound: string;
  rows: number;
  bytes: number;
  before: string | null;
  isValid: boolean | null;
  analysisRows: number | null;
}

/** The slices of a table, the oldest first. */
export async function readSlices(db: Pick<Db, '$queryRaw'>, table: string): Promise<Slice[]> {
  const rows = await db.$queryRaw<SliceRow[]>`
    SELECT c.relname::text AS "name", pg_get_expr(c.relpartbound, c.oid) AS "bound", c.reltuples::float8 AS "rows",
      pg_total_relation_size(c.oid)::float8 AS "bytes", pg_get_constraintdef(k.oid) AS "before", k.convalidated AS "isValid",
      (SELECT o.option_value::int FROM pg_options_to_table(c.reloptions) o WHERE o.option_name = 'autovacuum_analyze_threshold') AS "analysisRows"
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c' AND k.conname = c.relname || '_before'
    WHERE i.inhparent = to_regclass(quote_ident(${table}))`;
  return rows
    .map(({ bound, before, isValid, analysisRows, ...row }) => ({
      ...row,
      ...boundsOf(bound),
      before: before === null ? null : { id: idIn(before), isValid: isValid === true },
      analysisRows: analysisRows ?? 0,
    }))
    .sort(byBounds);
}

/** The last slice of a table with its limit, while it is being cut. */
export async function findCut(
  db: Pick<Db, '$queryRaw'>,
  table: string,
): Promise<{ name: string; before: string } | null> {
  const [row] = await db.$queryRaw<{ name: string; before: string }[]>`
    SELECT c.relname::text AS "name", pg_get_constraintdef(k.oid) AS "before" FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c' AND k.conname = c.relname || '_before'
    WHERE i.inhparent = to_regclass(quote_ident(${table})) AND pg_get_expr(c.relpartbound, c.oid) LIKE '%TO (MAXVALUE)'`;
  return row ? { name: row.name, before: idIn(row.before) } : null;
}

function idIn(constraint: string): string {
  const [, id] = /'([0-9a-f-]{36})'/.exec(constraint) ?? [];
  if (id === undefined) throw new Error(`not a limit of ids: ${constraint}`);
  return id;
}

/** Whether an index of the whole is missing in some slice: a migration builds it, or was interrupted. */
export async function hasUnfinishedIndex(db: Db, table: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM pg_index WHERE indrelid = to_regclass(quote_ident(${table})) AND NOT indisvalid) AS "found"`;
  return row?.found ?? true;
}

/** Whether a slice has an id from this one on, or a process lives whose clock would soon make one. */
export async function hasIdsFrom(db: Db, slice: string, id: string, clockAheadMs: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM ${name(slice)} WHERE "id" >= ${id}::uuid) OR EXISTS (
      SELECT FROM "Process" WHERE "apartMs" < -${clockAheadMs}::float8 AND "seenAt" > clock_timestamp() - interval '1 minute') AS "found"`;
  return row?.found ?? true;
}

/** Whether a process lives, or did five minutes ago, that does not know this migration. */
export async function hasOlderProcess(db: Db, migration: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM "Process" WHERE "schema" < ${migration} AND "seenAt" > clock_timestamp() - interval '5 minutes') AS "found"`;
  return row?.found ?? true;
}

const lockTimeout = Prisma.raw(`'200ms'`);
/** lock_not_available, deadlock_detected */
const mayWorkLater = new Set(['55P03', '40P01']);

type Transactions = Db & { $transaction<T>(work: (db: Db) => Promise<T>): Promise<T> };

/** Runs a transaction that takes strong locks for a moment. @returns false when it did not get them: nothing has changed */
async function withLocks(prisma: Transactions, work: (db: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await prisma.$transaction(async (db) => {
      await db.$executeRaw`SET LOCAL lock_timeout = ${lockTimeout}`;
      await work(db);
    });
    return true;
  } catch (error) {
    if (mayWorkLater.has(databaseCode(error) ?? '')) return false;
    throw error;
  }
}

const literal = (id: string): Prisma.Sql => Prisma.raw(`'${id}'`);

/** Keeps ids out of the last slice that will not be its own after the cut; rows that are there already are not looked at yet. */
export const limitSlice = (
  prisma: Transactions,
  { name: slice, from }: Slice,
  before: string,
): Promise<boolean> => {
  const lower =
    from === null
      ? Prisma.empty
      : Prisma.sql`ADD CONSTRAINT ${name(lowerLimit(slice))} CHECK ("id" >= ${literal(from)}) NOT VALID, `;
  return withLocks(
    prisma,
    (db) => db.$executeRaw`
      ALTER TABLE ${name(slice)} ${lower}ADD CONSTRAINT ${name(upperLimit(slice))} CHECK ("id" < ${literal(before)}) NOT VALID`,
  );
};

/** Gives a cut up that has begun. */
export const unlimitSlice = (prisma: Transactions, slice: string): Promise<boolean> =>
  withLocks(prisma, (db) => dropLimits(db, slice, [lowerLimit(slice), upperLimit(slice)]));

const dropLimits = (db: Db, slice: string, limits: readonly string[]): Promise<unknown> =>
  db.$executeRaw`ALTER TABLE ${name(slice)} ${Prisma.join(
    limits.map((limit) => Prisma.sql`DROP CONSTRAINT IF EXISTS ${name(limit)}`),
    ', ',
  )}`;

/** Reads all rows of the slice once, while it is read and written. @returns false when one of them has an id that the limits do not allow */
export async function validateLimits(db: Db, { name: slice, from }: Slice): Promise<boolean> {
  const limits = [...(from === null ? [] : [lowerLimit(slice)]), upperLimit(slice)];
  try {
    await db.$executeRaw`ALTER TABLE ${name(slice)} ${Prisma.join(
      limits.map((limit) => Prisma.sql`VALIDATE CONSTRAINT ${name(limit)}`),
      ', ',
    )}`;
    return true;
  } catch (error) {
    // check_violation
    if (databaseCode(error) === '23514') return false;
    throw error;
  }
}

/** The storage parameters of a new slice. */
function storageOf({ settings }: SlicedTable): Prisma.Sql {
  const parameters = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return parameters.length === 0 ? Prisma.empty : Prisma.raw(`WITH (${parameters.join(', ')})`);
}

const attach = (db: Db, table: string, slice: string, { from, to }: Bounds): Promise<unknown> =>
  db.$executeRaw`ALTER TABLE ${name(table)} ATTACH PARTITION ${name(slice)} FOR VALUES
    FROM (${from === null ? Prisma.raw('MINVALUE') : literal(from)}) TO (${to === null ? Prisma.raw('MAXVALUE') : literal(to)})`;

const detach = (db: Db, table: string, slice: string): Promise<unknown> =>
  db.$executeRaw`ALTER TABLE ${name(table)} DETACH PARTITION ${name(slice)}`;

/**
 * Ends the last slice at the id that its limit says, and creates the next one from there on. The limit stays: with it, the slice can become the
 * first one without being read.
 */
export const cutAtLimit = (
  prisma: Transactions,
  table: SlicedTable,
  { name: slice, from }: Slice,
  before: string,
  next: string,
): Promise<boolean> =>
  withLocks(prisma, async (db) => {
    await detach(db, table.name, slice);
    await attach(db, table.name, slice, { from, to: before });
    await db.$executeRaw`
      CREATE TABLE ${name(next)} PARTITION OF ${name(table.name)} FOR VALUES FROM (${literal(before)}) TO (MAXVALUE) ${storageOf(table)}`;
    await dropLimits(db, slice, [lowerLimit(slice)]);
  });

/** The ids of rows that are not older, `most` at most. Reads the whole slice if it has fewer. */
export async function findRowsSince(db: Db, slice: string, limit: Date, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM ${name(slice)} WHERE "createdAt" >= ${limit}::timestamptz LIMIT ${most}::int`;
  return rows.map(({ id }) => id);
}

/** Says of a table that it was a slice and can be dropped. */
const expired = 'a slice of expired rows';

/**
 * Takes the first slice out of its table. The next one becomes the first, takes the ids below, and gets the rows that are carried over, past the
 * triggers: these have run.
 */
export const detachFirst = (
  prisma: Transactions,
  table: string,
  first: Slice,
  next: Slice,
  carried: readonly string[],
): Promise<boolean> =>
  withLocks(prisma, async (db) => {
    await detach(db, table, first.name);
    await detach(db, table, next.name);
    await attach(db, table, next.name, { from: null, to: next.to });
    // Moved and not copied: what is erased from the table later must not come back from a slice that was not dropped yet.
    await db.$executeRaw`
      WITH "moved" AS (DELETE FROM ${name(first.name)} WHERE "id" = ANY(${[...carried]}::uuid[]) RETURNING *)
      INSERT INTO ${name(next.name)} SELECT * FROM "moved"`;
    await db.$executeRaw`COMMENT ON TABLE ${name(first.name)} IS ${Prisma.raw(`'${expired}'`)}`;
  });

/** Slices that were taken out of a table and are not dropped yet. */
export async function findDetached(db: Db, table: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS "name" FROM pg_class c JOIN pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
      AND c.relname ~ ${`^${table}_[0-9]+$`} AND d.description = ${expired}`;
  return rows.map((row) => row.name);
}

/**
 * Drops a slice that was taken out of its table. Rows that were stored in it at the last moment and are not old go to the first slice, as those
 * that were carried over.
 */
export async function dropDetached(db: Db, slice: string, first: string, limit: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO ${name(first)} SELECT * FROM ${name(slice)} WHERE "createdAt" >= ${limit}::timestamptz ON CONFLICT DO NOTHING`;
  await db.$executeRaw`DROP TABLE ${name(slice)}`;
}

/** From now on so many changed rows lie between two analyses of the slice. */
export const analyseAfter = (db: Db, slice: string, rows: number): Promise<unknown> =>
  db.$executeRaw`ALTER TABLE ${name(slice)} SET (autovacuum_analyze_threshold = ${Prisma.raw(String(rows))})`;

/** Of the whole table, as of its last analysis; -1 before the first. Autovacuum does not look at it, only at its slices. */
export async function analysedRows(db: Db, table: string): Promise<number> {
  const [row] = await db.$queryRaw<{ rows: number }[]>`
    SELECT c.reltuples::float8 AS "rows" FROM pg_class c WHERE c.oid = to_regclass(quote_ident(${table}))`;
  return row?.rows ?? -1;
}

export const analyse = (db: Db, table: string): Promise<unknown> => db.$executeRaw`ANALYZE ${name(table)}`;
