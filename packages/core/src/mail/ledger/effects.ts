import { constant, Prisma } from '../../base/db/index.ts';
import {
  copyOf,
  emailRecipient,
  eventRow,
  insertEvents,
  insertReports,
  storedAs,
  storedWhere,
  toldContact,
} from '../../base/event-types/index.ts';
import { isSimulatedAddress } from '../eligibility/index.ts';
import { byKey } from './by-key.ts';
import { emailColumnsOf, emailFacts, emailLabels } from './email-facts.ts';
import { optOutsByReport } from './end-subscription.ts';
import { isPaused } from './pause.store.ts';
import { onlyStricter } from './suppress.ts';

/** An uncertain transactional email outside of campaigns is resent once after this time (B3.3). */
const resendMs = constant(120_000);

/** Deferrals that are kept per email and hour: a server that asks for quick attempts does not fill the table. */
const deferralsPerHour = constant(20);
/** The length of their texts, in characters. */
const deferralText = constant(500);

/** The error of an email that is not sent again, although an earlier attempt may have delivered it. */
const keptUncertain = constant(`'An earlier attempt may have delivered the message. It was not sent again'`);

const facts = emailFacts({
  ...emailColumnsOf('x'),
  subject: 'coalesce(x.subject, x."storedSubject", c."subject")',
  messageId: 'coalesce(x."providerId", x."messageId")',
});

/** Its own subject can name the recipient, so an erased email has that of the content. */
const doubtedFacts = emailFacts({
  ...emailColumnsOf('x'),
  subject: 'CASE WHEN x.erased THEN c."subject" ELSE coalesce(x.subject, x."storedSubject", c."subject") END',
  messageId: 'coalesce(x."providerId", x."messageId")',
});

const ofEmail = {
  projectId: constant('x."projectId"'),
  contactId: toldContact('x'),
  emailId: constant('x."id"'),
  createdAt: constant('x.at'),
};

const iso = (at: string) =>
  Prisma.sql`to_char(${constant(at)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * What the answers of a statement do: CTEs that update Email, insert batches for what is to be sent again, add to the counters of campaigns,
 * apply hard bounces, keep what temporary refusals say, and insert events.
 *
 * They follow a CTE `found` with one row per answered email, locked: `before` and the other columns of the email; `outcome` and the other
 * fields of its result; `groupId` (what is sent again stays together by it), `projectId`, `campaignId`, `domainId`, `priority`,
 * `retried`, `nextAttemptAt`, `firstAnsweredAt` and `heldSince` of its batch; whether that was `stopped` for good; `token`, the time `at`, and whether the answer is `late`.
 *
 * `what` is the effect: `sent`, `failed`, `skipped`, `retry`, `uncertain`; `kept` (it returns to UNCERTAIN, because an earlier attempt may have
 * delivered it), `waits` (given back as it is), `returned` (a late giveback, which returns the attempt), `settled` (an open has proved its
 * delivery, so that any other result has no effect).
 */
export const effectCtes = Prisma.sql`
judged AS (
  SELECT f.*, f."contactId" IS NULL AND f."sourceType" NOT IN ('TEST', 'SYSTEM') AS erased, f.outcome IN ('retry', 'giveback', 'gone') AS again,
    -- A late negative answer ends the doubt, if nothing has changed since its attempt raised it.
    f."uncertainAt" IS NOT NULL AND NOT (f.late AND f.before = 'UNCERTAIN' AND f."updatedAt" = f."uncertainAt") AS doubt
  FROM found f
), decided AS (
  SELECT j.*,
    CASE
      WHEN before NOT IN ('PENDING', 'UNCERTAIN') THEN CASE outcome WHEN 'sent' THEN 'sent' ELSE 'settled' END
      WHEN outcome IN ('sent', 'failed', 'uncertain') THEN outcome
      WHEN outcome = 'skipped' OR (again AND (erased OR stopped)) THEN CASE WHEN doubt THEN 'kept' ELSE 'skipped' END
      WHEN outcome = 'unsendable' THEN CASE WHEN doubt THEN 'kept' ELSE 'failed' END
      WHEN outcome = 'retry' THEN 'retry'
      WHEN late THEN 'returned'
      ELSE 'waits'
    END AS what
  FROM judged j
), effect AS MATERIALIZED (
  SELECT d.*,
    CASE what WHEN 'sent' THEN CASE WHEN before IN ('PENDING', 'UNCERTAIN') THEN 'SENT' ELSE before END
      WHEN 'failed' THEN 'FAILED' WHEN 'skipped' THEN 'SKIPPED' WHEN 'uncertain' THEN 'UNCERTAIN' WHEN 'kept' THEN 'UNCERTAIN'
      WHEN 'retry' THEN 'PENDING' WHEN 'returned' THEN 'PENDING' ELSE before END::"EmailStatus" AS after,
    what = 'uncertain' AND "type" = 'TRANSACTIONAL' AND "campaignId" IS NULL AND "sourceType" <> 'TEST' AND NOT "autoResent" AND NOT erased AS resend,
    CASE WHEN what IN ('retry', 'waits', 'returned', 'uncertain') THEN uuid7() END AS fresh
  FROM decided d
), change AS MATERIALIZED (
  SELECT x.*, NULL::uuid AS "newBatch" FROM effect x WHERE NOT (x.what IN ('retry', 'waits', 'returned') OR x.resend)
  UNION ALL
  SELECT x.*, first_value(x.fresh) OVER (PARTITION BY x."groupId", x.what, x."waitMs", x."heldBy", x.until ORDER BY x.n)
  FROM effect x WHERE x.what IN ('retry', 'waits', 'returned') OR x.resend
), moved AS (
  UPDATE "Email" e SET "batchId" = x."newBatch" FROM change x WHERE ${byKey('e."id"', 'x."id"')} AND x.what IN ('waits', 'settled')
), written AS (
  UPDATE "Email" e SET
    "status" = x.after,
    "batchId" = x."newBatch",
    -- Of an UNCERTAIN email it is shown to nobody, and keeps a late answer from having it sent again.
    "reason" = CASE WHEN x.what = 'skipped' THEN CASE WHEN x.again THEN 'cancelled' ELSE x.reason END
      WHEN x.what = 'kept' AND x."campaignId" IS NULL AND (x.reason = 'cancelled' OR x.again) THEN 'cancelled' END,
    "error" = CASE WHEN x.erased OR x.what IN ('sent', 'returned') OR (x.what = 'skipped' AND x.again) THEN NULL WHEN x.what = 'kept' THEN coalesce(e."error", ${keptUncertain}) ELSE x.error END,
    -- The text of an answer can name the recipient. Null stays null, which keeps plain successes out of the indexes of refusals.
    "diagnosis" = CASE WHEN x.what = 'sent' THEN NULL WHEN x.what NOT IN ('failed', 'retry') OR x.diagnosis IS NULL THEN e."diagnosis"
      WHEN x.erased THEN x.diagnosis || jsonb_build_object('text', NULL, 'at', ${iso('x.at')})
      ELSE x.diagnosis || jsonb_build_object('at', ${iso('x.at')}) END,
    "subject" = CASE WHEN x.erased THEN NULL ELSE coalesce(x.subject, e."subject") END,
    "messageId" = coalesce(x."providerId", e."messageId"),
    "attempts" = greatest(0, e."attempts" + CASE WHEN x.what = 'returned' THEN -1 WHEN x.late OR x.what IN ('skipped', 'kept') THEN 0 ELSE 1 END),
    "sentAt" = CASE WHEN x.what = 'sent' THEN coalesce(e."sentAt", x.at) WHEN x.what = 'failed' THEN NULL ELSE e."sentAt" END,
    "bouncedAt" = CASE WHEN x.what = 'failed' AND x."hardBounce" THEN coalesce(e."bouncedAt", x.at) ELSE e."bouncedAt" END,
    "uncertainAt" = CASE WHEN x.what = 'sent' THEN NULL WHEN x.what = 'uncertain' THEN coalesce(e."uncertainAt", now())
      WHEN x.doubt THEN e."uncertainAt" END,
    "autoResent" = (e."autoResent" AND (x.doubt OR NOT x.late)) OR x.resend,
    "fence" = coalesce(x.token, e."fence"),
    -- Kept, because erasure clears the address.
    "simulated" = e."simulated" OR ${isSimulatedAddress(constant('e."to"'))},
    "updatedAt" = now()
  FROM change x WHERE ${byKey('e."id"', 'x."id"')} AND x.what NOT IN ('waits', 'settled')
  RETURNING e."id", e."error"
), doubted AS (${insertReports(
  'email.uncertain',
  Prisma.sql`SELECT x."projectId", ${toldContact('x')} AS "contactId", ${copyOf('x')} AS "copyId",
    jsonb_object(ARRAY[${doubtedFacts}, 'error', w."error"]) || ${emailLabels('x')} || ${emailRecipient('x')} AS "data"
    FROM change x JOIN written w ON w."id" = x."id"
    CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE ${byKey('"id"', 'x."contentId"')}) c
    WHERE x.after = 'UNCERTAIN' AND x.before <> 'UNCERTAIN' AND x."sourceType" NOT IN ('TEST', 'SYSTEM')`,
)}), batches AS (
  INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "again", "nextAttemptAt", "firstAnsweredAt",
    "heldBy", "heldSince", "emailIds", "held", "wave", "trace")
  SELECT b.id, b."projectId", b."campaignId", b."domainId", b."priority", b.again, b.due, b.answered, b.held_by, b.since, b.ids, ${isPaused('b')},
    -- Of the batch that it comes from, where there is one.
    coalesce((SELECT d."wave" FROM "DeliveryBatch" d WHERE d."id" = b.origin), 0),
    (SELECT d."trace" FROM "DeliveryBatch" d WHERE d."id" = b.origin)
  FROM (SELECT x."newBatch" AS id, x."projectId", x."campaignId", x."domainId", x."priority",
    x.retried OR x.what IN ('retry', 'uncertain') OR (x.what = 'waits' AND x."heldBy" IS NOT NULL) AS again,
    CASE x.what WHEN 'retry' THEN x.at + coalesce(x."waitMs", 0) * interval '1 millisecond'
      WHEN 'waits' THEN coalesce(to_timestamp(x.until / 1000), x.at + x."waitMs" * interval '1 millisecond', x."nextAttemptAt")
      WHEN 'uncertain' THEN now() + ${resendMs} * interval '1 millisecond' ELSE x."nextAttemptAt" END AS due,
    CASE WHEN x.what = 'retry' THEN coalesce(x."firstAnsweredAt", x.at) ELSE x."firstAnsweredAt" END AS answered,
    CASE WHEN x.what = 'waits' THEN x."heldBy" END AS held_by,
    coalesce(x."heldSince", CASE WHEN x."heldBy" IS NOT NULL THEN x."nextAttemptAt" END) AS since,
    array_agg(x."id" ORDER BY x.n) AS ids, (array_agg(x."groupId"))[1] AS origin
  FROM change x WHERE x."newBatch" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) b
), deferred AS (
  INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "at", "detail", "class")
  SELECT uuid7(), x."projectId", x."id", 'deferral', x.at, left(coalesce(x.diagnosis ->> 'text', x.error), ${deferralText}), x.diagnosis ->> 'class'
  FROM change x WHERE x.what = 'retry' AND x."sourceType" <> 'SYSTEM' AND (
    SELECT count(*) FROM "Interaction" i WHERE i."emailId" = x."id" AND i."type" = 'deferral' AND i."at" > x.at - interval '1 hour') < ${deferralsPerHour}
), counted AS (
  UPDATE "CampaignCounter" c SET
    "sentCount" = c."sentCount" + d.sent, "failedCount" = c."failedCount" + d.failed, "uncertainCount" = c."uncertainCount" + d.uncertain,
    "bouncedCount" = c."bouncedCount" + d.bounced, "refusedCount" = c."refusedCount" + d.refused,
    "skippedCount" = c."skippedCount" + d.skipped
  FROM (
    SELECT s."campaignId", count(*) FILTER (WHERE s.after = 'SENT') AS sent, count(*) FILTER (WHERE s.after = 'FAILED') AS failed,
      count(*) FILTER (WHERE s.after = 'UNCERTAIN') - count(*) FILTER (WHERE s.before = 'UNCERTAIN') AS uncertain,
      count(*) FILTER (WHERE s.what = 'failed' AND s."hardBounce" AND s."bouncedAt" IS NULL) AS bounced,
      count(*) FILTER (WHERE s.what = 'failed' AND (s."hardBounce" OR s."bouncedAt" IS NOT NULL))
        - count(*) FILTER (WHERE s.what IN ('failed', 'sent') AND s."bouncedAt" IS NOT NULL AND s."sentAt" IS NULL) AS refused,
      count(*) FILTER (WHERE s.what = 'skipped') AS skipped
    FROM change s WHERE s."campaignId" IS NOT NULL
    GROUP BY s."campaignId" ORDER BY s."campaignId"
  ) d WHERE ${byKey('c."campaignId"', 'd."campaignId"')}
  RETURNING c."campaignId"
), skips AS (
  -- Of the campaigns that were counted, whose rows are locked: without that, two statements could wait for each other.
  INSERT INTO "CampaignSkip" ("campaignId", "reason", "count")
  SELECT d."campaignId", s.reason, s.count FROM counted d JOIN (
    SELECT x."campaignId", CASE WHEN x.again THEN 'cancelled' ELSE coalesce(x.reason, 'cancelled') END AS reason, count(*)::int AS count
    FROM change x WHERE x.what = 'skipped' AND x."campaignId" IS NOT NULL GROUP BY 1, 2
  ) s ON s."campaignId" = d."campaignId" ORDER BY 1, 2
  ON CONFLICT ("campaignId", "reason") DO UPDATE SET "count" = "CampaignSkip"."count" + excluded."count"
), bounced AS MATERIALIZED (
  SELECT x.* FROM change x WHERE x.what = 'failed' AND x."hardBounce" AND x."sourceType" NOT IN ('TEST', 'SYSTEM') AND NOT x.erased
), suppressed AS (
  INSERT INTO "Suppression" ("projectId", "email", "reason", "emailId")
  SELECT DISTINCT ON (b."projectId", b."to") b."projectId", b."to", 'BOUNCE'::"SuppressionReason", b."id" FROM bounced b
  WHERE b."to" <> '' AND NOT ${isSimulatedAddress(constant('b."to"'))}
  ORDER BY b."projectId", b."to", b."id"
  ${onlyStricter}
), bouncing AS MATERIALIZED (
  SELECT c."id", c."projectId", b."emailId" FROM (SELECT DISTINCT ON (b."contactId") b."contactId", b."to", b."id" AS "emailId" FROM bounced b ORDER BY b."contactId", b."id") b
  CROSS JOIN LATERAL (SELECT "id", "projectId" FROM "Contact" WHERE "id" = b."contactId" AND "email" = b."to" FOR NO KEY UPDATE) c
), unsubscribed AS MATERIALIZED (${optOutsByReport('bouncing', constant(`'bounce'`))}
), told AS (
  ${insertEvents}
  ${eventRow({
    ...storedWhere(
      [
        [`x.what = 'sent'`, 'email.sent'],
        [`x.what = 'failed'`, 'email.failed'],
      ],
      'email.skipped',
    ),
    ...ofEmail,
    data: Prisma.sql`jsonb_object(ARRAY[${facts}] || CASE WHEN x.what = 'sent' THEN ARRAY['sentAt', ${iso('coalesce(x."sentAt", x.at)')}]
      WHEN x.what = 'failed' THEN ARRAY['error', x.error, 'reason', NULL, 'failureClass', x.diagnosis ->> 'class']
      ELSE ARRAY['error', CASE WHEN NOT x.again THEN x.error END, 'reason', CASE WHEN x.again THEN 'cancelled' ELSE x.reason END] END)
      || ${emailLabels('x')}`,
  })}
  FROM change x
  CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE ${byKey('"id"', 'x."contentId"')}) c
  -- What an open has proved before its answer arrived was told then.
  WHERE x.what IN ('sent', 'failed', 'skipped') AND (x.what <> 'sent' OR x."sentAt" IS NULL) AND x."sourceType" NOT IN ('TEST', 'SYSTEM')
  UNION ALL
  ${eventRow({
    ...storedAs('email.bounce'),
    ...ofEmail,
    data: Prisma.sql`jsonb_object(ARRAY[${facts}, 'bounceType', 'Permanent', 'bouncedAt', ${iso('coalesce(x."bouncedAt", x.at)')},
      'bounceClass', x.diagnosis ->> 'class', 'diagnosis', x.diagnosis ->> 'text']) || ${emailLabels('x')}`,
  })}
  FROM bounced x CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE ${byKey('"id"', 'x."contentId"')}) c
), ended_slots AS MATERIALIZED (
  -- What was not sent counts for no cap, and waits for none. After the locks of contacts, in the order of erasures.
  SELECT x."contactId", array_agg(x."id"::text) FILTER (WHERE x.what <> 'kept') AS unsent, array_agg(x."id"::text) AS ended
  FROM change x WHERE x.what IN ('failed', 'skipped', 'kept') AND x."type" <> 'TRANSACTIONAL' AND x."contactId" IS NOT NULL
    AND (SELECT count(*) FROM unsubscribed) >= 0
  GROUP BY 1
), limited AS MATERIALIZED (
  SELECT l."contactId" FROM "ContactLimit" l WHERE l."contactId" = ANY(ARRAY(SELECT "contactId" FROM ended_slots)) ORDER BY l."contactId" FOR NO KEY UPDATE
), slots_freed AS (
  UPDATE "ContactLimit" l SET "sent" = l."sent" - coalesce(s.unsent, '{}'), "waiting" = l."waiting" - s.ended,
    "freedAt" = CASE WHEN l."waiting" - s.ended <> '{}' THEN clock_timestamp() ELSE l."freedAt" END
  FROM ended_slots s JOIN limited USING ("contactId") WHERE ${byKey('l."contactId"', 's."contactId"')}
)`;

/** The columns of Email that `effectCtes` needs, as an alias list over `"Email"`. */
export const emailColumns = Prisma.sql`"id", "status" AS before, "type", "sourceType", "contactId", "to", "contentId", "templateId", "subject" AS "storedSubject",
  "messageId", "updatedAt", "autoResent", "uncertainAt", "bouncedAt", "sentAt", "tags", "metadata", "recipientType"`;

/** The columns of a `Written`, from what `effectCtes` changed. */
export const writtenColumns = Prisma.sql`
  ARRAY(SELECT DISTINCT "campaignId" FROM change WHERE "campaignId" IS NOT NULL AND what NOT IN ('waits', 'settled')) AS campaigns,
  ARRAY(SELECT DISTINCT "projectId" FROM change WHERE what IN ('sent', 'failed', 'skipped')) AS projects,
  -- What is selected is run: the opt-outs are written by a function.
  (SELECT count(*)::int FROM unsubscribed) AS "optOuts",
  (SELECT count(*)::int FROM change WHERE what NOT IN ('waits', 'settled')) AS emails,
  (SELECT coalesce(json_agg(o), '[]') FROM (SELECT "sourceType"::text AS source, what AS outcome, count(*)::int AS count FROM change
    WHERE what IN ('sent', 'failed', 'skipped', 'retry', 'uncertain') GROUP BY 1, 2) o) AS outcomes`;
