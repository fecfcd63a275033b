import type { PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

/**
 * The result of one attempt. `retry`: answered with a temporary failure. `giveback`: nothing was transferred or
 * answered; costs no attempt.
 */
export type Outcome = 'sent' | 'failed' | 'skipped' | 'retry' | 'giveback' | 'uncertain';

export interface Settlement {
  id: string;
  /** the fence under which the email was claimed */
  token: string;
  outcome: Outcome;
  /** text of the answer; null for sent */
  error: string | null;
  reason: string | null;
  /** the rendered subject, when it differs from the content's */
  subject: string | null;
  providerId: string | null;
  /** when it is due again, for `retry` and `giveback` */
  nextAttemptAt: Date | null;
  hardBounce: boolean;
  at: Date;
}

/** The change of a campaign's counters by one settled row, for the statement that adds them up. */
export interface CounterDelta {
  campaignId: string;
  sent: number;
  failed: number;
  skipped: number;
  uncertain: number;
  bounced: number;
}

interface SettledRow {
  id: string;
  /** `proved`: an open or click has proved the delivery, whatever the result of this attempt */
  what: Outcome | 'late_sent' | 'late_giveback' | 'lost' | 'proved';
  campaignId: string | null;
  wasUncertain: boolean;
  wasSent: boolean;
  wasBounced: boolean;
  hardBounce: boolean;
}

/** The outcome of a group of settlements. */
export interface Settled {
  /** changes of the campaigns' counters */
  deltas: CounterDelta[];
  /** emails whose hard bounce was written by this call, not by an earlier one whose reply was lost */
  hardBounced: string[];
}

/** An uncertain transactional email outside of campaigns is resent once after this time (B3.3). */
const resendAfter = constant(`interval '2 minutes'`);

type Columns<Row> = { [Key in keyof Row]: Row[Key][] };

/** The priority of a requeued email, by its source. */
const priorityOfSource = Prisma.join(
  Object.entries(priorities).map(
    ([source, priority]) => Prisma.sql`WHEN ${constant(`'${source}'`)} THEN ${constant(priority)}`,
  ),
  ' ',
);

const settleRows = prepared<Columns<Settlement>>(
  'settle',
  (rows) => Prisma.sql`
WITH r AS (
  SELECT * FROM unnest(${rows.id}::uuid[], ${rows.token}::uuid[], ${rows.outcome}::text[], ${rows.error}::text[], ${rows.reason}::text[],
    ${rows.subject}::text[], ${rows.providerId}::text[], ${rows.nextAttemptAt}::timestamptz[], ${rows.hardBounce}::boolean[],
    ${rows.at}::timestamptz[])
    AS u(id, token, outcome, error, reason, subject, "providerId", "nextAttemptAt", "hardBounce", at)
), rows AS (
  SELECT r.*, e."projectId", e."campaignId", e."contactId", e."status" AS before, e."sentAt" AS "sentBefore", e."bouncedAt" AS "bouncedBefore",
    (d."token" IS NOT NULL AND d."token" = r.token) AS ours,
    -- A campaign's retry puts an UNCERTAIN email back to PENDING; the late answer of its last attempt still counts then.
    ((e."status" = 'UNCERTAIN' OR (e."status" = 'PENDING' AND d."emailId" IS NOT NULL)) AND e."fence" = r.token AND d."token" IS NULL) AS late,
    d."emailId" IS NOT NULL AS waiting,
    (e."type" = 'TRANSACTIONAL' AND e."campaignId" IS NULL AND NOT e."autoResent" AND e."sourceType" <> 'TEST') AS resend,
    e."contactId" IS NULL AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AS erased
  FROM (SELECT * FROM r ORDER BY id) r
  CROSS JOIN LATERAL (SELECT * FROM "Email" WHERE "id" = r.id FOR UPDATE) e
  LEFT JOIN LATERAL (SELECT "emailId", "token" FROM "Delivery" WHERE "emailId" = r.id FOR UPDATE) d ON true
), effect AS (
  SELECT *,
    CASE WHEN ours AND outcome <> 'sent' AND before NOT IN ('PENDING', 'UNCERTAIN') THEN 'proved'
         WHEN ours AND erased AND outcome IN ('retry', 'giveback') THEN 'skipped'
         WHEN ours THEN outcome
         WHEN late AND outcome = 'sent' THEN 'late_sent'
         WHEN late AND outcome = 'giveback' THEN 'late_giveback'
         ELSE 'lost' END AS what
  FROM rows
), gone AS (
  DELETE FROM "Delivery" d USING effect x
  WHERE d."emailId" = x.id
    AND (x.what IN ('sent', 'failed', 'skipped', 'late_sent', 'proved') OR (x.what = 'uncertain' AND NOT x.resend))
), again AS (
  UPDATE "Delivery" d SET "token" = NULL, "dataStartedAt" = NULL,
    "nextAttemptAt" = CASE WHEN x.what = 'uncertain' THEN now() + ${resendAfter} ELSE coalesce(x."nextAttemptAt", d."nextAttemptAt") END,
    "firstAnsweredAt" = CASE WHEN x.what = 'retry' THEN coalesce(d."firstAnsweredAt", x.at) ELSE d."firstAnsweredAt" END
  FROM effect x
  WHERE d."emailId" = x.id
    AND (x.what IN ('retry', 'giveback') OR (x.what = 'uncertain' AND x.resend) OR (x.what = 'late_giveback' AND x.waiting))
), done AS (
  UPDATE "Email" e SET
    "status" = CASE
      WHEN x.what IN ('sent', 'late_sent') THEN CASE WHEN e."status" IN ('PENDING', 'UNCERTAIN') THEN 'SENT' ELSE e."status" END
      WHEN x.what = 'failed' THEN 'FAILED'::"EmailStatus"
      WHEN x.what = 'skipped' THEN 'SKIPPED'::"EmailStatus"
      WHEN x.what = 'uncertain' THEN CASE WHEN e."status" = 'PENDING' OR e."status" = 'UNCERTAIN' THEN 'UNCERTAIN' ELSE e."status" END
      WHEN x.what = 'retry' AND e."status" = 'UNCERTAIN' THEN 'PENDING'
      WHEN x.what = 'late_giveback' THEN 'PENDING'::"EmailStatus"
      ELSE e."status" END,
    "reason" = CASE WHEN x.what = 'skipped' THEN CASE WHEN x.erased THEN 'cancelled' ELSE x.reason END END,
    "error" = CASE WHEN x.what IN ('sent', 'late_sent', 'skipped') THEN NULL ELSE x.error END,
    "subject" = coalesce(x.subject, e."subject"),
    "messageId" = coalesce(x."providerId", e."messageId"),
    "attempts" = e."attempts" + CASE WHEN x.what IN ('sent', 'late_sent', 'failed', 'retry', 'uncertain') AND NOT x.late THEN 1 ELSE 0 END,
    "sentAt" = CASE WHEN x.what IN ('sent', 'late_sent') THEN coalesce(e."sentAt", x.at) WHEN x.what = 'failed' THEN NULL ELSE e."sentAt" END,
    "bouncedAt" = CASE WHEN x.what = 'failed' AND x."hardBounce" THEN coalesce(e."bouncedAt", x.at) ELSE e."bouncedAt" END,
    "fence" = x.token,
    "autoResent" = e."autoResent" OR (x.what = 'uncertain' AND x.resend),
    "updatedAt" = now()
  FROM effect x
  WHERE e."id" = x.id AND x.what NOT IN ('lost', 'giveback', 'proved')
  RETURNING e.*, x.what, x.at
), reopened AS (
  INSERT INTO "Delivery" ("emailId", "projectId", "priority", "campaignId", "domainId", "nextAttemptAt")
  SELECT x.id, x."projectId", CASE e."sourceType" ${priorityOfSource} END, x."campaignId",
    (SELECT "id" FROM "Domain" WHERE "projectId" = x."projectId" AND "domain" = split_part(c."from", '@', 2)), now()
  FROM effect x JOIN "Email" e ON e."id" = x.id JOIN "Content" c ON c."id" = e."contentId"
  WHERE x.what = 'late_giveback' AND NOT x.waiting
), told AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId", "createdAt")
  SELECT uuid7(), e."projectId",
    CASE WHEN e.what IN ('sent', 'late_sent') THEN 'SYSTEM'::"EventKind" ELSE 'ACTIVITY'::"EventKind" END,
    CASE WHEN e.what IN ('sent', 'late_sent') THEN 'email.sent' ELSE 'email.' || e.what END,
    jsonb_build_object('emailId', e."id", 'subject', coalesce(e."subject", c."subject"), 'from', c."from", 'fromName', c."fromName",
      'messageId', coalesce(e."messageId", '<' || e."id" || '@' || split_part(c."from", '@', 2) || '>'),
      'templateId', e."templateId", 'campaignId', e."campaignId", 'sourceType', e."sourceType")
    || CASE WHEN e.what IN ('sent', 'late_sent')
         THEN jsonb_build_object('sentAt', to_char(e."sentAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         ELSE jsonb_build_object('error', e."error", 'reason', e."reason") END,
    e."contactId", e."id", e.at
  FROM done e
  CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE "id" = e."contentId") c
  WHERE e.what IN ('sent', 'late_sent', 'failed', 'skipped') AND e."sourceType" NOT IN ('TEST', 'SYSTEM')
)
SELECT id, what, "campaignId", before = 'UNCERTAIN' AS "wasUncertain", "sentBefore" IS NOT NULL AS "wasSent",
  "bouncedBefore" IS NOT NULL AS "wasBounced", "hardBounce" FROM effect`,
);

/**
 * Writes the results of these attempts: Email, Delivery and events in one statement, each row only if its fence is
 * still that of the claim. A late answer of a suspended worker still turns UNCERTAIN into SENT.
 */
export async function settle(client: PoolClient, settlements: readonly Settlement[]): Promise<Settled> {
  const column = <Key extends keyof Settlement>(key: Key): Settlement[Key][] =>
    settlements.map((row) => row[key]);
  const { rows } = await client.query<SettledRow>(
    settleRows({
      id: column('id'),
      token: column('token'),
      outcome: column('outcome'),
      error: column('error'),
      reason: column('reason'),
      subject: column('subject'),
      providerId: column('providerId'),
      nextAttemptAt: column('nextAttemptAt'),
      hardBounce: column('hardBounce'),
      at: column('at'),
    }),
  );
  const hardBounced = rows.filter((row) => row.what === 'failed' && row.hardBounce).map((row) => row.id);
  return { deltas: addUp(rows), hardBounced };
}

function addUp(rows: SettledRow[]): CounterDelta[] {
  const byCampaign = new Map<string, CounterDelta>();
  for (const row of rows) {
    if (row.campaignId === null || row.what === 'lost' || row.what === 'proved') continue;
    let delta = byCampaign.get(row.campaignId);
    if (!delta) {
      delta = { campaignId: row.campaignId, sent: 0, failed: 0, skipped: 0, uncertain: 0, bounced: 0 };
      byCampaign.set(row.campaignId, delta);
    }
    const left = row.wasUncertain && row.what !== 'uncertain' && row.what !== 'giveback';
    if (left) delta.uncertain -= 1;
    if (row.what === 'sent' || row.what === 'late_sent') delta.sent += row.wasSent ? 0 : 1;
    else if (row.what === 'failed') {
      delta.failed += 1;
      // An email that bounces again after a retry is already counted.
      if (row.hardBounce && !row.wasBounced) delta.bounced += 1;
    } else if (row.what === 'skipped') delta.skipped += 1;
    else if (row.what === 'uncertain' && !row.wasUncertain) delta.uncertain += 1;
  }
  return [...byCampaign.values()];
}

const hardBounces = prepared<{ emailIds: string[] }>(
  'apply-hard-bounces',
  ({ emailIds }) => Prisma.sql`
WITH bounced AS (
  SELECT e."id", e."projectId", e."contactId", e."to", e."campaignId", e."templateId", e."sourceType", e."bouncedAt", e."messageId", coalesce(e."subject", c."subject") AS "subject", c."from", c."fromName"
  FROM unnest(${emailIds}::uuid[]) AS u(id)
  CROSS JOIN LATERAL (SELECT * FROM "Email" WHERE "id" = u.id) e
  CROSS JOIN LATERAL (SELECT * FROM "Content" WHERE "id" = e."contentId") c
  WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
), suppressed AS (
  INSERT INTO "Suppression" ("projectId", "email", "reason", "emailId")
  SELECT DISTINCT ON ("projectId", "to") "projectId", "to", 'BOUNCE'::"SuppressionReason", "id" FROM bounced WHERE "to" <> ''
  ORDER BY "projectId", "to", "id"
  ON CONFLICT DO NOTHING
), locked AS (
  SELECT c."id" FROM "Contact" c JOIN (SELECT DISTINCT "contactId", "to" FROM bounced) b ON b."contactId" = c."id" AND b."to" = c."email"
  WHERE c."subscribed" ORDER BY c."email" FOR UPDATE OF c
), unsubscribed AS (
  UPDATE "Contact" c SET "subscribed" = false, "snoozedUntil" = NULL, "subscriptionChangedAt" = now(), "updatedAt" = now()
  FROM locked WHERE c."id" = locked."id" RETURNING c."id", c."projectId"
)
INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
SELECT uuid7(), b."projectId", 'SYSTEM'::"EventKind", 'email.bounce',
  jsonb_build_object('emailId', b."id", 'subject', b."subject", 'from', b."from", 'fromName', b."fromName", 'messageId', coalesce(b."messageId", '<' || b."id" || '@' || split_part(b."from", '@', 2) || '>'),
    'templateId', b."templateId", 'campaignId', b."campaignId", 'sourceType', b."sourceType", 'bounceType', 'Permanent',
    'bouncedAt', to_char(b."bouncedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  b."contactId", b."id"
FROM bounced b
UNION ALL
SELECT uuid7(), u."projectId", 'SYSTEM'::"EventKind", 'contact.unsubscribed', jsonb_build_object('reason', 'bounce'), u."id", NULL FROM unsubscribed u`,
);

/**
 * Hard bounces within the transaction of their settle: contact unsubscribed, address suppressed, events (B3.2). A
 * bounce of workflow email to a custom address does not affect the contact of the execution.
 */
export async function applyHardBounces(client: PoolClient, emailIds: string[]): Promise<void> {
  await client.query(hardBounces({ emailIds }));
}

const addDeltas = prepared<Columns<CounterDelta>>(
  'add-to-counters',
  (rows) => Prisma.sql`
UPDATE "CampaignCounter" c SET
  "sentCount" = c."sentCount" + u.sent, "failedCount" = c."failedCount" + u.failed, "skippedCount" = c."skippedCount" + u.skipped,
  "uncertainCount" = c."uncertainCount" + u.uncertain, "bouncedCount" = c."bouncedCount" + u.bounced
FROM unnest(${rows.campaignId}::uuid[], ${rows.sent}::int[], ${rows.failed}::int[], ${rows.skipped}::int[], ${rows.uncertain}::int[],
  ${rows.bounced}::int[]) AS u(id, sent, failed, skipped, uncertain, bounced)
WHERE c."campaignId" = u.id`,
);

/** Adds to the campaigns' counters, in a separate statement with async commit; closing a campaign checks them. */
export async function addToCounters(client: PoolClient, deltas: CounterDelta[]): Promise<void> {
  const sorted = deltas.toSorted((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
  await client.query(
    addDeltas({
      campaignId: sorted.map((delta) => delta.campaignId),
      sent: sorted.map((delta) => delta.sent),
      failed: sorted.map((delta) => delta.failed),
      skipped: sorted.map((delta) => delta.skipped),
      uncertain: sorted.map((delta) => delta.uncertain),
      bounced: sorted.map((delta) => delta.bounced),
    }),
  );
}
