import type { ClientBase, PoolClient } from 'pg';
import { type EmailSource, Prisma, prepared } from '../../base/db/index.ts';
import type { BatchResult } from './batch.ts';
import { byKey } from './by-key.ts';
import { effectCtes, emailColumns, writtenColumns } from './effects.ts';
import { priorities } from './ledger.rules.ts';
import type { Written } from './write.store.ts';

/** The answer for an email of a batch that was reaped in the meantime. */
export interface LateAnswer {
  emailId: string;
  /** the token under which its transfer began */
  token: string;
  /** of that batch: neither the email nor its source tells those of batch requests from single sends */
  priority: number;
  result: BatchResult;
  subject: string | null;
}

interface LateValues {
  ids: string[];
  tokens: (string | null)[];
  priorities: number[];
  results: string[];
  subjects: (string | null)[];
  sandboxFrom: string;
}

/**
 * @param open which emails an answer `a` counts for
 * @param group what is sent again in one batch: an id, the same for all emails `l` of it
 */
const settling = (name: string, open: Prisma.Sql, group: Prisma.Sql) =>
  prepared<LateValues>(
    name,
    ({ ids, tokens, priorities, results, subjects, sandboxFrom }) => Prisma.sql`
WITH answer AS MATERIALIZED (
  SELECT u."id" AS "emailId", u."token", u."priority", u.result ->> 'outcome' AS outcome, u.result, u.subject
  FROM unnest(${ids}::uuid[], ${tokens}::uuid[], ${priorities}::smallint[], ${results}::jsonb[], ${subjects}::text[])
    AS u("id", "token", "priority", result, subject)
  WHERE u.result ->> 'outcome' IN ('sent', 'failed', 'retry', 'giveback')
  ORDER BY u."id"
), waiting AS MATERIALIZED (
  -- Locked, so that no claim takes the email while its answer is written. IS NULL would allow a plan that reads the index of all waiting batches.
  SELECT b."id", b."domainId" FROM (
    SELECT DISTINCT e."batchId" FROM answer a
    CROSS JOIN LATERAL (SELECT "batchId" FROM "Email" WHERE ${byKey('"id"', 'a."emailId"')} AND "fence" = a."token" AND "batchId" IS NOT NULL) e
    ORDER BY 1
  ) w CROSS JOIN LATERAL (SELECT "id", "domainId" FROM "DeliveryBatch"
    WHERE ${byKey('"id"', 'w."batchId"')} AND coalesce("token"::text, '') = '' FOR SHARE) b
), locked AS MATERIALIZED (
  SELECT a.outcome, a.result, a.subject, a."token", a."priority", e.*
  FROM answer a
  CROSS JOIN LATERAL (
    SELECT ${emailColumns}, "projectId", "campaignId", "batchId", "reason" AS "storedReason" FROM "Email"
    WHERE "id" = a."emailId" AND ${open}
    FOR UPDATE
  ) e
), found AS MATERIALIZED (
  SELECT ${group} AS "groupId", 0::bigint AS n, l.subject, l."projectId", l."campaignId",
    -- The id of a domain that does not exist makes the next attempt fail with that reason.
    CASE WHEN l."sourceType" <> 'SYSTEM' AND c."from" <> ${sandboxFrom}::text THEN coalesce(
      (SELECT w."domainId" FROM waiting w WHERE w."id" = l."batchId"),
      (SELECT d."id" FROM "Domain" d WHERE d."projectId" = l."projectId" AND d."domain" = split_part(c."from", '@', 2)), l."contentId") END AS "domainId",
    l."priority", true AS retried, now()::timestamptz(3) AS "nextAttemptAt",
    NULL::timestamptz(3) AS "firstAnsweredAt",
    coalesce((SELECT "status" = 'CANCELLED' FROM "Campaign" WHERE "id" = l."campaignId"), l."sourceType" = 'CAMPAIGN')
      OR coalesce(l."storedReason" = 'cancelled', false) AS "stopped",
    l."token", clock_timestamp()::timestamptz(3) AS at, true AS late, l.outcome, l.result ->> 'error' AS error, l.result ->> 'reason' AS reason,
    coalesce((l.result ->> 'hardBounce')::boolean, false) AS "hardBounce", l.result -> 'diagnosis' AS diagnosis, (l.result ->> 'waitMs')::float8 AS "waitMs",
    NULL AS "heldBy", NULL::float8 AS until, NULL::timestamptz(3) AS "heldSince", l.result ->> 'providerId' AS "providerId", l."id", l.before, l."type", l."sourceType", l."contactId", l."to", l."contentId", l."templateId",
    l."storedSubject", l."messageId", l."updatedAt", l."autoResent", l."uncertainAt", l."bouncedAt", l."sentAt", l."tags", l."metadata",
    l."recipientType"
  FROM locked l CROSS JOIN LATERAL (SELECT "from" FROM "Content" WHERE ${byKey('"id"', 'l."contentId"')}) c
), ${effectCtes}
SELECT ${writtenColumns}`,
  );

const late = settling(
  'settle-late',
  Prisma.sql`"fence" = a."token"
      -- A campaign's retry puts an UNCERTAIN email back to PENDING; the late answer of its last attempt still counts then.
      AND ("status" = 'UNCERTAIN' OR ("status" = 'PENDING' AND "batchId" IS NOT NULL))
      AND (a.outcome = 'sent' OR "batchId" IS NULL OR "batchId" IN (SELECT "id" FROM waiting))`,
  Prisma.sql`l."id"`,
);

/** Of a campaign those of one content stay together; campaigns of a project can share one. */
const known = settling(
  'settle-known',
  Prisma.sql`"status" = 'UNCERTAIN' AND (a.outcome = 'sent' OR "batchId" IS NULL)`,
  Prisma.sql`CASE WHEN l."campaignId" IS NULL THEN l."id" ELSE first_value(l."id") OVER (PARTITION BY l."campaignId", l."contentId" ORDER BY l."id") END`,
);

/**
 * Writes answers that arrive after their batch was reaped. They count while the email is UNCERTAIN by that attempt, or waits again
 * after a retry. `sent` makes it SENT; the others count unless another worker holds it. Relaxed like `writeBatches`; repeating has no effect.
 */
export async function settleLate(
  client: PoolClient,
  answers: readonly LateAnswer[],
  sandboxFrom: string,
): Promise<Written> {
  const { rows } = await client.query<Written>(
    late({
      ids: answers.map(({ emailId }) => emailId),
      tokens: answers.map(({ token }) => token),
      priorities: answers.map(({ priority }) => priority),
      results: answers.map(({ result }) => JSON.stringify(result)),
      subjects: answers.map(({ subject }) => subject),
      sandboxFrom,
    }),
  );
  return rows[0] ?? { campaigns: [], projects: [], emails: 0, outcomes: [] };
}

/** An UNCERTAIN email of which it is known otherwise whether it left. */
export interface KnownEmail {
  id: string;
  sourceType: EmailSource;
}

/**
 * Ends the doubt about UNCERTAIN emails, whichever attempt has raised it: they were sent, or were not and wait again. Repeating has no effect.
 * At most 500 of them, which one batch can have.
 */
export async function settleKnown(
  client: ClientBase,
  emails: readonly KnownEmail[],
  outcome: 'sent' | 'giveback',
  sandboxFrom: string,
): Promise<Written> {
  const { rows } = await client.query<Written>(
    known({
      ids: emails.map(({ id }) => id),
      tokens: emails.map(() => null),
      priorities: emails.map(({ sourceType }) => priorities[sourceType]),
      results: emails.map(() => JSON.stringify({ outcome })),
      subjects: emails.map(() => null),
      sandboxFrom,
    }),
  );
  return rows[0] ?? { campaigns: [], projects: [], emails: 0, outcomes: [] };
}
