import type { Pool } from 'pg';
import { byKey, Prisma, prepared } from '../../../base/db/index.ts';

/** A request of a WEBHOOK step that this process makes now. */
export interface ClaimedRequest {
  stepExecutionId: string;
  executionId: string;
  projectId: string;
  host: string;
  request: { url: string; method: string; headers: Record<string, string>; body: string | null };
  /** this one included */
  attempt: number;
  /** of the claim; the result counts only while it is the last one */
  token: string;
  /** names the turn that it belongs to (behaviour B8.6): the owner of its project, or '' for all unproven ones */
  turn: string;
  secretCipher: string | null;
}

interface ClaimValues {
  token: string;
  /** JSON: requests to claim at most, by host */
  free: string;
  /** the same for a host that is not listed */
  perHost: number;
  /** turns that have as many requests as they may have */
  fullTurns: string[];
  total: number;
  leaseMs: number;
  /** instead of the clock of the database */
  now: Date | null;
}

/** Due requests of one host that are looked at, so that owners take turns inside it. */
const lookedAt = 400;

/**
 * Claims due requests of every host. The hosts are found by steps through an index, so the cost does not depend on how many requests wait for one
 * of them. The attempt is counted with the claim, so that an answer that ends the process is not asked for endlessly.
 */
const claim = prepared<ClaimValues>(
  'claim-step-requests',
  ({ token, free, perHost, fullTurns, total, leaseMs, now }) => Prisma.sql`
WITH RECURSIVE waiting AS (
  (SELECT r."host" FROM "StepRequest" r ORDER BY r."host" LIMIT 1)
  UNION ALL
  SELECT (SELECT r."host" FROM "StepRequest" r WHERE r."host" > w."host" ORDER BY r."host" LIMIT 1)
  FROM waiting w WHERE w."host" IS NOT NULL
), looked AS MATERIALIZED (
  SELECT d."stepExecutionId", w."host", coalesce(o."turn", '') AS "turn", d."dueAt",
    coalesce((${free}::jsonb ->> w."host")::int, ${perHost}::int) AS "room"
  FROM waiting w CROSS JOIN LATERAL (
    SELECT r."stepExecutionId", r."projectId", r."dueAt" FROM "StepRequest" r
    WHERE r."host" = w."host" AND r."dueAt" <= coalesce(${now}::timestamptz, statement_timestamp()) ORDER BY r."dueAt" LIMIT ${lookedAt}::int
  ) d LEFT JOIN LATERAL (
    SELECT u."id"::text AS "turn" FROM "Member" m JOIN "User" u ON u."id" = m."userId"
    WHERE m."projectId" = d."projectId" AND m."role" = 'OWNER' AND u."emailVerified" LIMIT 1
  ) o ON true
), ranked AS MATERIALIZED (
  SELECT l.*, row_number() OVER (PARTITION BY "host", "turn" ORDER BY "dueAt") AS "round" FROM looked l WHERE NOT "turn" = ANY(${fullTurns}::text[])
), chosen AS MATERIALIZED (
  SELECT * FROM (SELECT r.*, row_number() OVER (PARTITION BY "host" ORDER BY "round", "dueAt") AS "place" FROM ranked r) r
  WHERE "place" <= "room" ORDER BY "round", random() LIMIT ${total}::int
), picked AS MATERIALIZED (
  SELECT q."stepExecutionId", c."turn" FROM chosen c CROSS JOIN LATERAL (
    SELECT r."stepExecutionId" FROM "StepRequest" r
    WHERE r."stepExecutionId" = c."stepExecutionId" AND r."dueAt" <= coalesce(${now}::timestamptz, statement_timestamp()) FOR UPDATE SKIP LOCKED) q
), claimed AS (
  UPDATE "StepRequest" r SET "token" = ${token}::uuid, "attempt" = r."attempt" + 1,
    "leaseUntil" = coalesce(${now}::timestamptz, statement_timestamp()) + ${leaseMs}::int * interval '1 millisecond',
    "dueAt" = coalesce(${now}::timestamptz, statement_timestamp()) + ${leaseMs}::int * interval '1 millisecond'
  FROM picked p WHERE ${byKey('r."stepExecutionId"', 'p."stepExecutionId"')}
  RETURNING r."stepExecutionId", r."executionId", r."projectId", r."host", r."request", r."attempt", r."token", p."turn"
)
SELECT c.*, p."webhookSecretCipher" AS "secretCipher" FROM claimed c
CROSS JOIN LATERAL (SELECT "webhookSecretCipher" FROM "Project" WHERE "id" = c."projectId" OFFSET 0) p`,
);

export async function claimRequests(pool: Pool, values: ClaimValues): Promise<ClaimedRequest[]> {
  const { rows } = await pool.query<ClaimedRequest>(claim(values));
  return rows;
}

/** The result of one attempt. */
export interface RequestResult {
  stepExecutionId: string;
  executionId: string;
  token: string;
  /** RUNNING: it is made again in `inMs` */
  status: 'COMPLETED' | 'FAILED' | 'RUNNING';
  inMs: number | null;
  output: Record<string, unknown>;
  error: string | null;
}

/**
 * Records attempts. A final result completes the row of its step, makes the execution due and ends the request. The execution is locked first, as by
 * everything that ends it; one that has ended, or is made by another claim, is left alone.
 */
const settle = prepared<{ results: string; now: Date | null }>(
  'settle-step-requests',
  ({ results, now }) => Prisma.sql`
WITH result AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${results}::jsonb) AS r("stepExecutionId" uuid, "executionId" uuid, "token" uuid, "status" "StepStatus",
    "inMs" int, "output" jsonb, "error" text)
), held AS MATERIALIZED (
  SELECT x."id", r."stepExecutionId" FROM (SELECT * FROM result ORDER BY "executionId") r CROSS JOIN LATERAL (
    SELECT x."id" FROM "WorkflowExecution" x WHERE x."id" = r."executionId" AND x."status" = 'RUNNING' FOR UPDATE) x
), request AS MATERIALIZED (
  SELECT r.*, coalesce(${now}::timestamptz, statement_timestamp()) + r."inMs" * interval '1 millisecond' AS "retryAt"
  FROM held h JOIN result r ON r."stepExecutionId" = h."stepExecutionId" CROSS JOIN LATERAL (
    SELECT FROM "StepRequest" q WHERE q."stepExecutionId" = r."stepExecutionId" AND q."token" = r."token" FOR UPDATE) q
), ended AS (
  DELETE FROM "StepRequest" q WHERE q."stepExecutionId" = ANY(ARRAY(SELECT "stepExecutionId" FROM request WHERE "status" <> 'RUNNING'))
), repeated AS (
  UPDATE "StepRequest" q SET "dueAt" = r."retryAt", "token" = NULL, "leaseUntil" = NULL
  FROM request r WHERE ${byKey('q."stepExecutionId"', 'r."stepExecutionId"')} AND r."status" = 'RUNNING'
), step AS (
  UPDATE "WorkflowStepExecution" s SET "status" = r."status", "output" = r."output", "error" = r."error",
    "scheduledFor" = coalesce(r."retryAt", s."scheduledFor"), "completedAt" = CASE WHEN r."status" <> 'RUNNING' THEN now() END, "updatedAt" = now()
  FROM request r WHERE ${byKey('s."id"', 'r."stepExecutionId"')}
)
UPDATE "WorkflowExecution" x SET "dueAt" = coalesce(${now}::timestamptz, statement_timestamp()), "wakeSeq" = x."wakeSeq" + 1, "resumeAt" = NULL,
  "updatedAt" = now()
FROM request r WHERE ${byKey('x."id"', 'r."executionId"')} AND r."status" <> 'RUNNING'`,
);

export async function settleRequests(
  pool: Pool,
  results: readonly RequestResult[],
  now: Date | null = null,
): Promise<void> {
  await pool.query(settle({ results: JSON.stringify(results), now }));
}
