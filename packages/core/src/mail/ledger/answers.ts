import { constant, type Parameter, Prisma } from '../../base/db/index.ts';
import { emailColumns } from './effects.ts';

/**
 * Whether what a stopped batch has not begun is skipped: its campaign is cancelled or gone, or its project deleted. That of a paused campaign
 * waits again, also once the campaign goes on.
 */
const isStoppedForGood = (batch: string): Prisma.Sql => {
  const of = (column: string) => constant(`${batch}."${column}"`);
  return Prisma.sql`CASE WHEN ${of('stopped')} THEN coalesce((
    SELECT k."status" = 'CANCELLED' OR p."deletedAt" IS NOT NULL FROM "Campaign" k JOIN "Project" p ON p."id" = k."projectId"
    WHERE k."id" = ${of('campaignId')}), true) ELSE false END`;
};

/**
 * The CTEs between `held` (locked batches, with the `subjects` of their emails) and `effectCtes`: the recorded answers that are not written
 * yet, and their emails, locked in the order of their ids. An email that left the batch (erased, proved by an open, written before) has none.
 *
 * @param unanswered whether emails without an answer count too: UNCERTAIN when they have begun, otherwise given back
 */
export const answersOf = (
  options: { unanswered: false } | { unanswered: true; error: Parameter },
): Prisma.Sql => Prisma.sql`
answer AS MATERIALIZED (
  SELECT h."id" AS "batchId", u.n - 1 AS n, u."id" AS "emailId", u.subject,
    get_bit(h."answered", (u.n - 1)::int) = 1 AS answered, get_bit(h."begun", (u.n - 1)::int) = 1 AS begun,
    h."results" -> (u.n - 1)::text AS result,
    h."projectId", h."campaignId", h."domainId", h."priority", h."again" AS retried, h."nextAttemptAt", h."firstAnsweredAt", h."heldSince", h."isStoppedForGood" AS "stopped", h."token", h."progressAt"
  FROM (SELECT *, ${isStoppedForGood('batch')} AS "isStoppedForGood" FROM held batch) h
  CROSS JOIN LATERAL ROWS FROM (unnest(h."emailIds"), json_array_elements_text(h.subjects)) WITH ORDINALITY AS u("id", subject, n)
  WHERE u."id" IS NOT NULL AND get_bit(h."written", (u.n - 1)::int) = 0
    ${options.unanswered ? Prisma.empty : Prisma.sql`AND get_bit(h."answered", (u.n - 1)::int) = 1`}
  ORDER BY u."id"
), found AS MATERIALIZED (
  SELECT a."batchId" AS "groupId", a.n, a.subject, a."projectId", a."campaignId", a."domainId", a."priority", a.retried, a."nextAttemptAt",
    a."firstAnsweredAt", a."heldSince", a."stopped", a."token", a."progressAt" AS at, false AS late,
    CASE WHEN a.answered THEN coalesce(a.result ->> 'outcome', 'sent') WHEN a.begun THEN 'uncertain' ELSE 'giveback' END AS outcome,
    ${options.unanswered ? Prisma.sql`CASE WHEN a.begun AND NOT a.answered THEN ${options.error} ELSE a.result ->> 'error' END` : Prisma.sql`a.result ->> 'error'`} AS error,
    a.result ->> 'reason' AS reason, coalesce((a.result ->> 'hardBounce')::boolean, false) AS "hardBounce",
    a.result -> 'diagnosis' AS diagnosis, (a.result ->> 'waitMs')::float8 AS "waitMs",
    a.result ->> 'heldBy' AS "heldBy", (a.result ->> 'until')::float8 AS until, a.result ->> 'providerId' AS "providerId", e.*
  FROM answer a
  CROSS JOIN LATERAL (SELECT ${emailColumns} FROM "Email" WHERE "id" = a."emailId" AND "batchId" = a."batchId" FOR UPDATE) e
)`;
