import { type Db, ofProject, Prisma } from '../../../base/db/index.ts';
import type { BulkPosition, CancelInput } from './bulk-jobs.store.ts';

interface Seen {
  id: string;
  at: string;
  matches: boolean;
}

export interface Part {
  /** executions that match, in the order of their ids */
  ids: string[];
  /** executions that were looked at */
  seen: number;
  /** the last of them; null after the last part */
  next: BulkPosition | null;
}

const partOf = (rows: readonly Seen[], limit: number): Part => {
  const last = rows.at(-1);
  return {
    ids: rows.flatMap(({ id, matches }) => (matches ? id : [])).sort(),
    seen: rows.length,
    next: rows.length < limit || !last ? null : { at: last.at, id: last.id },
  };
};

const isActive = Prisma.sql`l."status" IN ('RUNNING', 'WAITING')`;

/**
 * Which of the next executions of a workflow are active and match, as they are now. They are walked over in the order in which they began, which
 * does not change while they go on from step to step, so that none is missed.
 *
 * @param matches an expression over the alias `c` of "Contact"
 */
export async function nextActive(
  db: Db,
  projectId: string,
  { workflowId, until, stepId, version }: CancelInput,
  matches: Prisma.Sql | null,
  after: BulkPosition | null,
  limit: number,
): Promise<Part> {
  const conditions = [isActive];
  if (stepId !== undefined) conditions.push(Prisma.sql`l."currentStepId" = ${stepId}::uuid`);
  if (version !== undefined) conditions.push(Prisma.sql`l."version" = ${version}::int`);
  const ofContact = matches
    ? Prisma.sql`EXISTS (SELECT FROM "Contact" c WHERE c."id" = l."contactId" AND ${ofProject('c."projectId"', projectId)} AND (${matches}))`
    : Prisma.sql`true`;
  const rows = await db.$queryRaw<Seen[]>`
    WITH "looked" AS MATERIALIZED (
      SELECT x."id", x."createdAt", x."contactId", x."status", x."currentStepId", x."version" FROM "WorkflowExecution" x
      WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = ${workflowId}::uuid AND x."createdAt" <= ${until}::timestamptz
        ${after ? Prisma.sql`AND (x."createdAt", x."id") > (${after.at}::timestamptz, ${after.id}::uuid)` : Prisma.empty}
      ORDER BY x."createdAt", x."id" LIMIT ${limit}::int)
    SELECT l."id"::text AS "id", l."createdAt"::text AS "at", CASE WHEN ${Prisma.join(conditions, ' AND ')} THEN ${ofContact} ELSE false END AS "matches"
    FROM "looked" l ORDER BY l."createdAt", l."id"`;
  return partOf(rows, limit);
}

/** The next executions of a workflow that failed in a time, in the order in which they did. */
export async function nextFailed(
  db: Db,
  projectId: string,
  {
    workflowId,
    from,
    until,
    stepId,
  }: { workflowId: string; from: string | null; until: string; stepId?: string },
  after: BulkPosition | null,
  limit: number,
): Promise<Part> {
  const rows = await db.$queryRaw<Seen[]>`
    SELECT x."id"::text AS "id", x."completedAt"::text AS "at", true AS "matches" FROM "WorkflowExecution" x
    WHERE ${failedOf(projectId, { workflowId, from, until, stepId })}
      ${after ? Prisma.sql`AND (x."completedAt", x."id") > (${after.at}::timestamptz, ${after.id}::uuid)` : Prisma.empty}
    ORDER BY x."completedAt", x."id" LIMIT ${limit}::int`;
  return partOf(rows, limit);
}

interface Failed {
  workflowId: string;
  from: string | null;
  until: string;
  stepId?: string | undefined;
}

const failedOf = (projectId: string, { workflowId, from, until, stepId }: Failed): Prisma.Sql => Prisma.sql`
  x."workflowId" = ${workflowId}::uuid AND x."status" = 'FAILED' AND x."completedAt" <= ${until}::timestamptz
  AND ${ofProject('x."projectId"', projectId)}
  ${from === null ? Prisma.empty : Prisma.sql`AND x."completedAt" >= ${from}::timestamptz`}
  ${stepId === undefined ? Prisma.empty : Prisma.sql`AND x."currentStepId" = ${stepId}::uuid`}`;

export async function countFailed(db: Db, projectId: string, failed: Failed): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "WorkflowExecution" x WHERE ${failedOf(projectId, failed)}`;
  return row?.count ?? 0;
}

/** Locks those of the executions that are active, in the order of their ids, so that no set takes a step of them. @returns their ids */
export async function lockActive(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id"::text AS "id" FROM "WorkflowExecution" x
    WHERE x."id" = ANY(${[...ids]}::uuid[]) AND x."status" IN ('RUNNING', 'WAITING') AND ${ofProject('x."projectId"', projectId)}
      AND x."workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid
    ORDER BY x."id" FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/** The active executions of contacts in a workflow: at most one of each. */
export async function activeOf(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id"::text AS "id" FROM "WorkflowExecution" x
    WHERE x."contactId" = ANY(${[...contactIds]}::uuid[]) AND x."workflowId" = ${workflowId}::uuid AND x."status" IN ('RUNNING', 'WAITING')
      AND ${ofProject('x."projectId"', projectId)}`;
  return rows.map(({ id }) => id);
}

export const countExecutions = (db: Db, projectId: string, workflowId: string): Promise<number> =>
  db.workflowExecution.count({ where: { projectId, workflowId } });

/** The moment, by the clock that executions have their times from. */
export async function presentMoment(db: Db): Promise<string> {
  const [row] = await db.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS "at"`;
  if (!row) throw new Error('the moment gave no row');
  return row.at;
}

/** The step of a workflow that has, or had, a key: in force or in a version that is kept. */
export async function findStepByKey(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  key: string,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT s."id"::text AS "id" FROM "WorkflowStep" s
    WHERE s."workflowId" = ${workflowId}::uuid AND s."key" = ${key} AND ${ofProject('s."projectId"', projectId)}
    UNION ALL SELECT k."key" FROM "WorkflowVersion" v CROSS JOIN LATERAL jsonb_each(v."steps") k
    WHERE v."workflowId" = ${workflowId}::uuid AND ${ofProject('v."projectId"', projectId)} AND k."value" ->> 'key' = ${key}
    LIMIT 1`;
  return row?.id ?? null;
}

/** The versions with which the failed executions of a workflow began. */
export async function versionsOfFailed(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<{ workflowId: string; version: number | null }[]> {
  const rows = await db.$queryRaw<{ version: number | null }[]>`
    SELECT DISTINCT x."version" FROM "WorkflowExecution" x
    WHERE x."workflowId" = ${workflowId}::uuid AND x."status" = 'FAILED' AND ${ofProject('x."projectId"', projectId)}`;
  return rows.map(({ version }) => ({ workflowId, version }));
}
