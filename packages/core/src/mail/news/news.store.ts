import type { Pool } from 'pg';
import { constant, type Db, Prisma, prepared } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs, storedWhere, toldContact } from '../../base/event-types/index.ts';
import type { BounceType } from '../diagnosis/index.ts';
import { isSimulatedAddress } from '../eligibility/index.ts';
import { emailColumnsOf, emailFacts, emailLabels, onlyStricter, optOutsByReport } from '../ledger/index.ts';
import { unreadClass } from './news.rules.ts';

export interface NewsRow {
  key: string;
  emailId: string;
  kind: string;
  bounceType: BounceType | null;
  /** of a bounce: what the receiving side said, as JSON, and the class by which soft ones are counted */
  diagnosis: string | null;
  class: string | null;
  at: Date;
  isProven: boolean;
  detail: string | null;
}

export interface AppliedNews {
  projectId: string;
  isNew: boolean;
  isTooEarly: boolean;
}

/** Interactions of one type that are stored per email and hour; the others, and what a flood of reports would repeat, are left out. */
const perHour = constant(20);
/** Soft bounces in a row, and the time they must span, that suppress an address for a while, and for good (B11.7). */
const softBounces = constant(5);
const softBounceSpan = constant(`interval '10 days'`);
const lastingSpan = constant(`interval '90 days'`);
const suppressedFor = constant(`interval '30 days'`);
/** Classes of the interactions that are soft bounces. */
const softClasses = constant(`('full', 'unreachable', '${unreadClass}')`);
/** An email that was handed over this long ago without a report has arrived. */
const silence = constant(`interval '5 days'`);

const ofEmail = {
  projectId: constant('x."projectId"'),
  contactId: toldContact('x'),
  emailId: constant('x."id"'),
  createdAt: constant('x."at"'),
};
const storedOfKind = storedWhere(
  [
    [`x."kind" = 'sent'`, 'email.sent'],
    [`x."kind" = 'delivered'`, 'email.delivery'],
    [`x."kind" = 'complaint'`, 'email.complaint'],
    [`x."kind" = 'rejected'`, 'email.failed'],
  ],
  'email.bounce',
);

const iso = (at: string): Prisma.Sql =>
  Prisma.sql`to_char(${constant(at)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/*
 * `proven`: the news prove that an email was handed over which the ledger does not know as sent: UNCERTAIN, or PENDING again after that. As
 * with an open, it leaves the batch in which it waits, but not one that a worker holds, whose answer is about to be written. That answer makes
 * it SENT and counts it, so news that would do no more leave such an email as it is.
 * `isFirst`: the news change something besides the list of interactions.
 */
const apply = prepared<NewsRow>(
  'apply-news',
  ({ key, emailId, kind, bounceType, diagnosis, class: bounceClass, at, isProven, detail }) => Prisma.sql`
WITH "given" AS MATERIALIZED (
  SELECT ${kind}::text AS "kind", ${bounceType}::text AS "bounceType", least(${at}::timestamptz(3), now()::timestamptz(3)) AS "at", ${detail}::text AS "detail", ${isProven}::boolean AS "isCertain",
    ${diagnosis}::jsonb AS "diagnosis", ${bounceClass}::text AS "class",
    CASE ${kind}::text WHEN 'bounce' THEN ${bounceType}::text IS NOT DISTINCT FROM 'Permanent' ELSE false END AS "isHard",
    CASE WHEN ${kind}::text = 'delivered' THEN 'DELIVERED' WHEN ${kind}::text = 'complaint' THEN 'COMPLAINED'
      WHEN ${kind}::text = 'bounce' AND ${bounceType}::text = 'Permanent' THEN 'BOUNCED' ELSE 'SENT' END::"EmailStatus" AS "reached"
), "target" AS MATERIALIZED (
  SELECT e."id", e."projectId", ${kind}::text = 'rejected' AND EXISTS (
    SELECT FROM "DeliveryBatch" b WHERE b."id" = e."batchId" AND b."token" IS NOT NULL) AS "isTooEarly"
  FROM "Email" e WHERE e."id" = ${emailId}::uuid
), "notice" AS (
  INSERT INTO "ProviderNotice" ("id") SELECT ${key}::text FROM "target" WHERE NOT "isTooEarly" ON CONFLICT DO NOTHING RETURNING "id"
), "locked" AS MATERIALIZED (
  SELECT e."id", e."projectId", e."campaignId", e."contactId", e."to", e."sourceType", e."status", e."sentAt", e."deliveredAt", e."bouncedAt",
    e."complainedAt", e."unprovenNews", e."recipientType", g.*, e."status" NOT IN ('FAILED', 'SKIPPED') AS "counts",
    EXISTS (SELECT FROM "DeliveryBatch" b WHERE b."id" = e."batchId" AND b."token" IS NOT NULL) AS "isHeld"
  FROM "notice" CROSS JOIN "given" g CROSS JOIN "Email" e WHERE e."id" = ${emailId}::uuid FOR UPDATE OF e
), "email" AS MATERIALIZED (
  SELECT l.*,
    l."counts" AND l."kind" NOT IN ('unknown', 'rejected') AND (l."status" < 'SENT' OR l."status" = 'UNCERTAIN')
      AND NOT (l."isHeld" AND l."reached" = 'SENT') AS "proven",
    l."kind" = 'rejected' AND l."status" IN ('PENDING', 'SENT', 'UNCERTAIN') AS "isRejected",
    l."counts" AND CASE l."kind" WHEN 'delivered' THEN l."deliveredAt" IS NULL WHEN 'complaint' THEN l."complainedAt" IS NULL
      WHEN 'bounce' THEN NOT l."isHard" OR l."bouncedAt" IS NULL ELSE false END AS "isFirst",
    -- Nothing else about the email is in doubt, so that it is certain now.
    l."unprovenNews" AND l."isCertain" AND l."counts" AND CASE l."kind" WHEN 'complaint' THEN l."complainedAt" IS NOT NULL AND l."bouncedAt" IS NULL
      WHEN 'bounce' THEN l."isHard" AND l."bouncedAt" IS NOT NULL AND l."complainedAt" IS NULL ELSE false END AS "confirms",
    l."sourceType" NOT IN ('TEST', 'SYSTEM') AND l."contactId" IS NOT NULL AS "hasEffects",
    -- What is said of an address that is known as dead does not replace why.
    l."counts" AND l."diagnosis" IS NOT NULL AND (l."isHard" OR l."bouncedAt" IS NULL) AS "isDiagnosed",
    CASE WHEN l."kind" IN ('sent', 'delivered', 'rejected') THEN CASE WHEN NOT l."counts" THEN 'unknown' END WHEN l."kind" = 'opt_out' THEN 'unknown' ELSE l."kind" END AS "interaction"
  FROM "locked" l
), "noted" AS (
  INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "at", "detail", "class")
  SELECT uuid7(), x."projectId", x."id", x."interaction"::"InteractionType", x."at", x."detail", x."class" FROM "email" x
  WHERE x."interaction" IS NOT NULL AND (
    SELECT count(*) FROM "Interaction" i
    WHERE i."emailId" = x."id" AND i."type"::text = x."interaction" AND i."at" > x."at" - interval '1 hour') < ${perHour}
  RETURNING "emailId"
), "raised" AS (
  UPDATE "Email" e SET
    "status" = CASE WHEN x."isRejected" THEN 'FAILED' WHEN x."proven" OR (e."status" >= 'SENT' AND e."status" < x."reached") THEN x."reached"
      ELSE e."status" END,
    "sentAt" = CASE WHEN x."isRejected" THEN NULL WHEN x."proven" THEN coalesce(e."sentAt", x."at") ELSE e."sentAt" END,
    "deliveredAt" = CASE WHEN x."kind" = 'delivered' THEN coalesce(e."deliveredAt", x."at") ELSE e."deliveredAt" END,
    "bouncedAt" = CASE WHEN x."isHard" THEN coalesce(e."bouncedAt", x."at") ELSE e."bouncedAt" END,
    "complainedAt" = CASE WHEN x."kind" = 'complaint' THEN coalesce(e."complainedAt", x."at") ELSE e."complainedAt" END,
    "error" = CASE WHEN x."isRejected" THEN coalesce(x."detail", 'The provider rejected the email') WHEN NOT x."proven" THEN e."error" END,
    "diagnosis" = CASE WHEN x."isDiagnosed" THEN x."diagnosis" || jsonb_build_object('at', ${iso('x."at"')})
        || CASE WHEN x."contactId" IS NULL AND x."sourceType" NOT IN ('TEST', 'SYSTEM') THEN '{"text": null}' ELSE '{}' END::jsonb
      ELSE e."diagnosis" END,
    "batchId" = CASE WHEN x."isHeld" OR NOT (x."proven" OR x."isRejected") THEN e."batchId" END,
    "uncertainAt" = CASE WHEN NOT (x."proven" OR x."isRejected") THEN e."uncertainAt" END,
    "unprovenNews" = NOT x."confirms" AND (e."unprovenNews"
      OR (NOT x."isCertain" AND x."isFirst" AND (x."isHard" OR x."kind" = 'complaint'))),
    "simulated" = e."simulated" OR ${isSimulatedAddress(constant('e."to"'))},
    "updatedAt" = now()
  FROM "email" x WHERE e."id" = x."id" AND (x."proven" OR x."confirms" OR x."isRejected" OR x."isDiagnosed" OR (x."isFirst" AND (x."isHard" OR x."kind" <> 'bounce')))
), "counted" AS (
  UPDATE "CampaignCounter" c SET "sentCount" = c."sentCount" + d."sent", "failedCount" = c."failedCount" + d."failed",
    "uncertainCount" = c."uncertainCount" - d."uncertain", "deliveredCount" = c."deliveredCount" + d."delivered",
    "bouncedCount" = c."bouncedCount" + d."bounced", "refusedCount" = c."refusedCount" + d."refused", "complainedCount" = c."complainedCount" + d."complained"
  FROM (
    SELECT x."campaignId", ("proven" AND "sentAt" IS NULL)::int - ("isRejected" AND "sentAt" IS NOT NULL)::int AS "sent", "isRejected"::int AS "failed",
      (("proven" OR "isRejected") AND "status" = 'UNCERTAIN')::int AS "uncertain", ("isFirst" AND "kind" = 'delivered')::int AS "delivered",
      ("isFirst" AND "isHard")::int AS "bounced",
      (("bouncedAt" IS NOT NULL OR ("isFirst" AND "isHard")) AND ("isRejected" OR ("sentAt" IS NULL AND NOT "proven")))::int
        - ("bouncedAt" IS NOT NULL AND "sentAt" IS NULL)::int AS "refused", ("isFirst" AND "kind" = 'complaint')::int AS "complained"
    FROM "email" x
  ) d
  WHERE c."campaignId" = d."campaignId" AND (d."sent", d."failed", d."uncertain", d."delivered", d."bounced", d."refused", d."complained") <> (0, 0, 0, 0, 0, 0, 0)
), "past" AS MATERIALIZED (
  SELECT f."id", f."deliveredAt", f."sentAt", x."at" FROM "email" x
  JOIN "Email" f ON f."projectId" = x."projectId" AND f."contactId" = x."contactId" AND f."to" = x."to"
  WHERE x."class" IN ${softClasses} AND NOT x."isHard" AND x."isFirst" AND x."hasEffects"
), "streak" AS (
  SELECT count(*) + 1 AS "bounces", greatest(max(i."at"), max(p."at")) - least(min(i."at"), min(p."at")) AS "span"
  FROM "past" p JOIN "Interaction" i ON i."emailId" = p."id" AND i."type" = 'bounce' AND i."class" IN ${softClasses}
  WHERE i."at" > coalesce(greatest((SELECT max("deliveredAt") FROM "past"), (
    SELECT max(q."sentAt") FROM "past" q WHERE q."sentAt" < q."at" - ${silence} AND NOT EXISTS (
      SELECT FROM "Interaction" o WHERE o."emailId" = q."id" AND o."type" IN ('bounce', 'delay')) AND q."id" <> (SELECT "id" FROM "email")), (
    SELECT max(o."at") FROM "past" q JOIN "Interaction" o ON o."emailId" = q."id" AND o."type" IN ('open', 'click') AND NOT o."bot")), '-infinity')
), "suppressed" AS (
  INSERT INTO "Suppression" ("projectId", "email", "reason", "emailId", "expiresAt")
  SELECT x."projectId", x."to", CASE x."kind" WHEN 'complaint' THEN 'COMPLAINT' ELSE 'BOUNCE' END::"SuppressionReason", x."id",
    CASE WHEN NOT x."isHard" AND x."kind" = 'bounce' AND s."span" < ${lastingSpan} THEN now() + ${suppressedFor} END
  FROM "email" x LEFT JOIN "streak" s ON s."bounces" >= ${softBounces} AND s."span" >= ${softBounceSpan}
  WHERE x."isFirst" AND x."hasEffects" AND x."to" <> '' AND NOT ${isSimulatedAddress(constant('x."to"'))} AND (x."isHard" OR x."kind" = 'complaint' OR (x."kind" = 'bounce' AND s."span" IS NOT NULL))
  ${onlyStricter}
), "person" AS MATERIALIZED (
  SELECT c."id", c."projectId", x."id" AS "emailId", x."kind" FROM "email" x CROSS JOIN "Contact" c
  WHERE c."id" = x."contactId" AND c."email" = x."to"
    AND x."hasEffects" AND (x."isFirst" AND (x."isHard" OR x."kind" = 'complaint') OR x."counts" AND x."kind" = 'opt_out')
  FOR NO KEY UPDATE OF c
), "unsubscribed" AS MATERIALIZED (${optOutsByReport('"person"', constant(`CASE r."kind" WHEN 'bounce' THEN 'bounce' ELSE 'complaint' END`))}
), "told" AS (
  ${insertEvents}
  ${eventRow({
    ...storedOfKind,
    ...ofEmail,
    data: Prisma.sql`jsonb_object(ARRAY[${emailFacts(emailColumnsOf('e'))}]) || ${emailLabels('e')}
    || CASE x."kind" WHEN 'sent' THEN jsonb_build_object('sentAt', ${iso('x."at"')})
      WHEN 'delivered' THEN jsonb_build_object('deliveredAt', ${iso('x."at"')})
      WHEN 'complaint' THEN jsonb_build_object('complainedAt', ${iso('x."at"')})
      WHEN 'rejected' THEN jsonb_build_object('error', x."detail", 'reason', NULL, 'failureClass', NULL)
      ELSE jsonb_build_object('bounceType', x."bounceType", 'bouncedAt', ${iso('x."at"')}, 'bounceClass', x."diagnosis" ->> 'class',
          'diagnosis', x."diagnosis" ->> 'text')
        || CASE WHEN x."isHard" THEN '{}'::jsonb ELSE '{"transientBounce": true}' END END`,
  })}
  FROM "email" x JOIN "Email" e ON e."id" = x."id" JOIN "Content" c ON c."id" = e."contentId"
  WHERE x."hasEffects" AND (x."isRejected" OR (x."kind" = 'sent' AND x."proven")
    OR (x."isFirst" AND (x."isHard" OR x."kind" <> 'bounce' OR EXISTS (SELECT FROM "noted"))))
  UNION ALL
  ${eventRow({
    ...storedAs('email.sent'),
    ...ofEmail,
    data: Prisma.sql`email_facts(e."id", e."subject", e."messageId", e."templateId", e."campaignId", e."sourceType", e."contentId")
      || ${emailLabels('e')} || jsonb_build_object('sentAt', ${iso('x."at"')})`,
  })}
  FROM "email" x JOIN "Email" e ON e."id" = x."id"
  WHERE x."hasEffects" AND x."proven" AND x."kind" <> 'sent' AND x."sentAt" IS NULL
), "rechecked" AS (
  INSERT INTO "ReputationCheck" ("projectId", "seq") SELECT x."projectId", nextval('"TouchSeq"') FROM "email" x WHERE x."confirms"
  ON CONFLICT ("projectId") DO UPDATE SET "seq" = EXCLUDED."seq"
)
SELECT t."projectId", t."isTooEarly", EXISTS (SELECT FROM "notice") AS "isNew",
  -- What is selected is run: the opt-outs are written by a function.
  (SELECT count(*) FROM "unsubscribed") AS "optOuts"
FROM "target" t`,
);

/**
 * Stores news about an email in one statement: its status, times and interactions, the counters of its campaign, suppression and
 * subscription, and events. A second statement with the same key, also a simultaneous one, changes nothing.
 *
 * @returns null when there is no such email
 */
export async function storeNews(pool: Pool, news: NewsRow): Promise<AppliedNews | null> {
  const { rows } = await pool.query<AppliedNews>(apply(news));
  return rows[0] ?? null;
}

/** Whether a report was applied. */
export async function isKnownNotice(pool: Pool, key: string): Promise<boolean> {
  const { rowCount } = await pool.query(knownNotice({ key }));
  return (rowCount ?? 0) > 0;
}

const knownNotice = prepared<{ key: string }>(
  'known-notice',
  ({ key }) => Prisma.sql`SELECT 1 FROM "ProviderNotice" WHERE "id" = ${key}`,
);

/** Forgets a batch of reports that were applied before `before`. @returns how many */
export const forgetNotices = (db: Db, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM "ProviderNotice" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "ProviderNotice" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int))`;

export async function rememberNotice(pool: Pool, key: string): Promise<void> {
  await pool.query(newNotice({ key }));
}

const newNotice = prepared<{ key: string }>(
  'remember-notice',
  ({ key }) => Prisma.sql`INSERT INTO "ProviderNotice" ("id") VALUES (${key}) ON CONFLICT DO NOTHING`,
);

/** The domain of an email's sender in lower case; null when there is no such email of a project. */
export async function findSenderDomain(pool: Pool, emailId: string): Promise<string | null> {
  const { rows } = await pool.query<{ domain: string }>(senderDomain({ emailId }));
  return rows[0]?.domain ?? null;
}

const senderDomain = prepared<{ emailId: string }>(
  'sender-domain',
  ({ emailId }) => Prisma.sql`
    SELECT lower(split_part(c."from", '@', 2)) AS "domain" FROM "Email" e JOIN "Content" c ON c."id" = e."contentId"
    WHERE e."id" = ${emailId}::uuid AND e."sourceType" <> 'SYSTEM'`,
);

/** An email that a message was sent about; `to` is '' when its address was erased or the email is gone. */
export interface ReportedEmail {
  id: string;
  to: string;
}

/** Emails with their addresses, in the order of the ids. */
export async function findReportedEmails(
  pool: Pool,
  emailIds: readonly string[],
): Promise<readonly ReportedEmail[]> {
  const { rows } = await pool.query<ReportedEmail>(reportedEmails({ emailIds }));
  const found = new Map(rows.map(({ id, to }) => [id, to]));
  return emailIds.map((id) => ({ id, to: found.get(id) ?? '' }));
}

const reportedEmails = prepared<{ emailIds: readonly string[] }>(
  'reported-emails',
  ({ emailIds }) =>
    Prisma.sql`SELECT e."id"::text AS "id", e."to" FROM "Email" e WHERE e."id" = ANY(${emailIds}::uuid[])`,
);
