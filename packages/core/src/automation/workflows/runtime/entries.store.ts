import { compileForEach } from '../../../audience/segments/index.ts';
import { byKey, ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import { type BlockedCounts, type EntryRules, intervalMs } from '../entries/entry.rules.ts';
import { tellExecutions, toldColumns } from './execution-events.ts';

/** Who may enter a workflow. */
export interface Gate extends Pick<EntryRules, 'limit' | 'every'> {
  projectId: string;
  workflowId: string;
  allowReentry: boolean;
  /** the TRIGGER step, where executions begin */
  triggerStepId: string | null;
}

/** What each rule demands of the row of an entry `n`, for a contact who has been in the workflow. */
const rulesOf = ({ allowReentry, limit, every }: Gate, at: Prisma.Sql) => {
  const since = every === null ? null : intervalMs(every);
  return {
    active: Prisma.sql`NOT n."active"`,
    again: Prisma.sql`${allowReentry}::boolean`,
    limit: Prisma.sql`(${limit}::int IS NULL OR n."entries" < ${limit}::int)`,
    every: Prisma.sql`(${since}::float8 IS NULL OR n."lastAt" + ${since}::float8 * interval '1 millisecond' <= ${at})`,
  };
};

/**
 * The contacts that want to enter, as the CTE `wanted`, with whether they match the filter of the workflow at this moment.
 *
 * @param rows a statement whose rows have "id" of the execution, "contactId", "eventId", "anchorAt", "context", "at", the "day" of an occurrence
 *   or null, and the live "version" of the workflow, whose row is locked `FOR KEY SHARE` at least, so that entries and publishes are ordered
 */
export async function wantedEntries(
  db: SqlDb,
  projectId: string,
  { filter }: Pick<EntryRules, 'filter'>,
  rows: Prisma.Sql,
): Promise<Prisma.Sql> {
  const matches =
    filter === null
      ? Prisma.sql`true`
      : Prisma.sql`coalesce((SELECT ${await compileForEach(db, projectId, filter)} FROM "Contact" c
          WHERE ${byKey('c."id"', 'x."contactId"')} AND ${ofProject('c."projectId"', projectId)}), false)`;
  return Prisma.sql`"wanted" AS MATERIALIZED (SELECT x.*, ${matches} AS "matches" FROM (${rows}) x)`;
}

/**
 * The CTEs `admitted`, `started`, `told` and `blocked` after `wanted`: the contacts that may enter, their executions at the TRIGGER step with
 * their events, and how many others were blocked by each rule. The row of an entry is the only decider: at most one active execution of a
 * contact, and each rule holds whoever else enters at the same time. An occurrence enters once, and is not blocked a second time.
 */
export const entered = (gate: Gate): Prisma.Sql => {
  const { projectId, workflowId, triggerStepId } = gate;
  const may = rulesOf(gate, Prisma.sql`excluded."lastAt"`);
  const might = rulesOf(gate, Prisma.sql`w."at"`);
  return Prisma.sql`
  "admitted" AS (
    INSERT INTO "WorkflowEntry" AS n ("workflowId", "contactId", "projectId", "entries", "lastAt", "lastEventId", "occurrence", "active")
    SELECT ${workflowId}::uuid, w."contactId", ${projectId}::uuid, 1, w."at", w."eventId", w."day", true
    FROM "wanted" w WHERE w."matches" ORDER BY w."contactId"
    ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "entries" = n."entries" + 1, "lastAt" = greatest(n."lastAt", excluded."lastAt"),
      "lastEventId" = excluded."lastEventId", "occurrence" = coalesce(excluded."occurrence", n."occurrence"), "active" = true
    WHERE ${may.active} AND ${may.again} AND ${may.limit} AND ${may.every}
      AND (excluded."occurrence" IS NULL OR n."occurrence" IS DISTINCT FROM excluded."occurrence")
    RETURNING n."contactId"
  ), "started" AS (
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "context", "sourceEventId", "currentStepId", "version",
      "wakeSeq", "anchorAt", "anchorEventId")
    SELECT w."id", ${projectId}::uuid, ${workflowId}::uuid, w."contactId", w."context", w."eventId", ${triggerStepId}::uuid, w."version", 1,
      w."anchorAt", w."eventId"
    FROM "wanted" w JOIN "admitted" a ON a."contactId" = w."contactId"
    ON CONFLICT DO NOTHING
    RETURNING ${toldColumns}
  ), "told" AS (${tellExecutions('workflow.started', '"started"')}
  ), "blocked" AS MATERIALIZED (
    -- Of a contact that another transaction has let in since, nothing is seen but that it is in the workflow.
    SELECT CASE WHEN NOT w."matches" THEN 'filter' WHEN NOT (${might.active}) THEN 'active' WHEN n."entries" > 0 AND NOT ${might.again} THEN 'again'
      WHEN NOT (${might.limit}) THEN 'limit' WHEN NOT (${might.every}) THEN 'every' ELSE 'active' END AS "reason", count(*)::int AS "count"
    FROM "wanted" w LEFT JOIN "admitted" a ON a."contactId" = w."contactId"
    LEFT JOIN LATERAL (
      SELECT n."active", n."entries", n."lastAt", n."occurrence" FROM "WorkflowEntry" n
      WHERE n."workflowId" = ${workflowId}::uuid AND n."contactId" = w."contactId") n ON true
    WHERE a."contactId" IS NULL AND (w."day" IS NULL OR n."occurrence" IS DISTINCT FROM w."day")
    GROUP BY 1
  )`;
};

/**
 * The CTE `counted`, after `blocked`: adds it to the counts of the workflow. Several rows for each quarter of an hour, so that dispatchers
 * seldom wait for one another.
 */
export const countedBlocked = ({ projectId, workflowId }: Gate): Prisma.Sql => Prisma.sql`
  "counted" AS (
    INSERT INTO "WorkflowEntryBlocked" AS k ("workflowId", "bucket", "reason", "slot", "projectId", "count")
    SELECT ${workflowId}::uuid, date_bin('15 minutes', now(), timestamptz 'epoch'), b."reason", pg_backend_pid() % 4, ${projectId}::uuid, b."count"
    FROM "blocked" b ORDER BY b."reason"
    ON CONFLICT ("workflowId", "bucket", "reason", "slot") DO UPDATE SET "count" = k."count" + excluded."count"
  )`;

export interface Entered {
  /** contacts that wanted to */
  wanted: number;
  /** of these, who did */
  started: number;
  blocked: Partial<BlockedCounts>;
}

/** The same as columns of the statement. */
export const enteredCounts = Prisma.sql`(SELECT count(*)::int FROM "wanted") AS "wanted", (SELECT count(*)::int FROM "started") AS "started",
  coalesce((SELECT jsonb_object_agg(b."reason", b."count") FROM "blocked" b), '{}') AS "blocked"`;
