import { constant, type Db, Prisma } from '../../../base/db/index.ts';
import { exitedOutcome, mostExits, otherExits } from '../figure-outcomes.rules.ts';

const columns = ['entered', 'left', 'failed', 'blocked'] as const;
const listed = Prisma.raw(columns.map((column) => `"${column}"`).join(', '));
const summed = Prisma.raw(columns.map((column) => `sum(e."${column}")`).join(', '));
const added = Prisma.raw(
  columns.map((column) => `"${column}" = f."${column}" + EXCLUDED."${column}"`).join(', '),
);

/** SQL: whether a row is about why executions exited. */
const isExit = (row: string): Prisma.Sql =>
  Prisma.sql`${constant(`${row}."scopeId" = ${row}."workflowId" AND ${row}."outcome"`)} LIKE ${`${exitedOutcome}%`}`;

/**
 * Adds a batch of a project's entries to its figures and removes them, in one statement: each counts exactly once, also when the process ends
 * meanwhile. Another process that does the same takes other entries; rows are written in the order of their keys.
 *
 * Reasons to exit can be texts of contacts: the first of a workflow have figures of their own, and those that come later share one.
 *
 * @returns how many entries it was
 */
export async function foldStepBatch(db: Db, projectId: string, limit: number): Promise<number> {
  const [folded] = await db.$queryRaw<{ count: number }[]>`
WITH taken AS MATERIALIZED (
  DELETE FROM "StepFigureEntry" e WHERE e."projectId" = ${projectId}::uuid AND e."id" = ANY(ARRAY(
    SELECT o."id" FROM "StepFigureEntry" o WHERE o."projectId" = ${projectId}::uuid ORDER BY o."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
  RETURNING e.*
), exits AS MATERIALIZED (
  SELECT e."workflowId", e."outcome", min(e."id") AS first, EXISTS (
      SELECT FROM "StepFigure" f WHERE f."projectId" = ${projectId}::uuid AND f."workflowId" = e."workflowId" AND f."scopeId" = e."workflowId"
        AND f."unit" = 'total' AND f."at" = 'epoch' AND f."outcome" = e."outcome") AS known
  FROM taken e WHERE ${isExit('e')} GROUP BY 1, 2
), known AS MATERIALIZED (
  SELECT w."workflowId", (
      SELECT count(DISTINCT f."outcome") FROM "StepFigure" f WHERE f."projectId" = ${projectId}::uuid AND f."workflowId" = w."workflowId"
        AND f."scopeId" = w."workflowId" AND f."unit" = 'total' AND f."at" = 'epoch' AND ${isExit('f')}) AS names
  FROM (SELECT DISTINCT "workflowId" FROM exits) w
), named AS MATERIALIZED (
  SELECT x."workflowId", x."outcome", CASE WHEN x.known OR k.names + row_number() OVER (PARTITION BY x."workflowId", x.known ORDER BY x.first)
      <= ${mostExits}::int THEN x."outcome" ELSE ${exitedOutcome + otherExits} END AS key
  FROM exits x JOIN known k ON k."workflowId" = x."workflowId"
), figures AS (
  INSERT INTO "StepFigure" AS f ("projectId", "workflowId", "scopeId", "unit", "at", "version", "outcome", "spent", ${listed})
  SELECT ${projectId}::uuid, e."workflowId", e."scopeId", u.unit::"FigureUnit", u.at, e."version", coalesce(n.key, e."outcome"), u.spent, ${summed}
  FROM taken e LEFT JOIN named n ON n."workflowId" = e."workflowId" AND e."scopeId" = e."workflowId" AND n."outcome" = e."outcome"
  CROSS JOIN LATERAL (VALUES ('quarter', e."at", e."spent"), ('day', date_trunc('day', e."at", 'UTC'), e."spent"),
    ('total', 'epoch'::timestamptz, 0)) u(unit, at, spent)
  GROUP BY 2, 3, 4, 5, 6, 7, 8 ORDER BY 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT ("projectId", "workflowId", "scopeId", "unit", "at", "version", "outcome", "spent") DO UPDATE SET ${added}
)
SELECT count(*)::int AS "count" FROM taken`;
  return folded?.count ?? 0;
}

/** Gives the space of removed entries free, unless another process is doing that. Must not run in a transaction. */
export const vacuumStepEntries = (db: Db): Promise<number> =>
  db.$executeRaw`VACUUM (SKIP_LOCKED, ANALYZE) "StepFigureEntry"`;

/** The tables whose rows of before there were figures are counted later. */
const countedTables = ['WorkflowExecution', 'WorkflowStepExecution'] as const;

/**
 * Counts rows of before there were figures: a trigger enters what those do that become counted, so that none counts twice and none is missed,
 * whatever changes it meanwhile and whatever ends.
 *
 * @param after the last id of the batch before; what others hold is left for a later run
 * @returns the last id; null when there is none left
 */
export async function countEarlier(
  db: Db,
  table: (typeof countedTables)[number],
  after: string | null,
  limit: number,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ last: string | null }[]>`
    WITH uncounted AS MATERIALIZED (
      SELECT "id" FROM ${Prisma.raw(`"${table}"`)} WHERE NOT "counted" ${after === null ? Prisma.empty : Prisma.sql`AND "id" > ${after}::uuid`}
      ORDER BY "id" LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED
    ), counted AS (
      UPDATE ${Prisma.raw(`"${table}"`)} SET "counted" = true WHERE "id" = ANY(ARRAY(SELECT "id" FROM uncounted))
    )
    SELECT (SELECT "id"::text FROM uncounted ORDER BY "id" DESC LIMIT 1) AS "last"`;
  return row?.last ?? null;
}
