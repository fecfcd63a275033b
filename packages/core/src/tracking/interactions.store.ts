import type { Pool } from 'pg';
import { type Bindable, constant, Prisma, prepared } from '../db/index.ts';

type InteractionType = 'open' | 'click';

interface Interaction {
  type: InteractionType;
  emailId: string;
  link: string | null;
}

const setsOf: Record<InteractionType, Prisma.Sql> = {
  open: Prisma.sql`"opens" = e."opens" + 1`,
  click: Prisma.sql`"clicks" = e."clicks" + 1, "clickedAt" = coalesce(e."clickedAt", x."at")`,
};

const isoAt = Prisma.sql`to_char(e."at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const newsOf: Record<InteractionType, (link: Bindable<string>) => Prisma.Sql> = {
  open: () => Prisma.sql`'openedAt', ${isoAt}, 'opens', e."opens", 'isFirstOpen', e."opens" = 1`,
  click: (link) =>
    Prisma.sql`'link', ${link}::text, 'clickedAt', ${isoAt}, 'clicks', e."clicks", 'isFirstClick', e."clicks" = 1`,
};

const reached: Record<InteractionType, string> = { open: 'OPENED', click: 'CLICKED' };

/**
 * The email is locked first, so that of many opens at once exactly one is the first.
 *
 * An open proves that an email was sent even if the ledger does not know it yet: UNCERTAIN, or PENDING again after
 * that, in which case it leaves the batch in which it waits to be sent again. An email of a held batch stays in it,
 * because its answer is about to be written.
 */
const counted = (type: InteractionType) =>
  prepared<{ emailId: string; link: string | null }>(
    `record-${type}`,
    ({ emailId, link }) => Prisma.sql`
WITH "email" AS MATERIALIZED (
  SELECT e."id", e."projectId", e."campaignId", e."status", e."openedAt", e."clickedAt", e."sentAt",
    e."status" NOT IN ('FAILED', 'SKIPPED') AS "counts", e."status" < 'SENT' OR e."status" = 'UNCERTAIN' AS "proven",
    EXISTS (SELECT FROM "DeliveryBatch" b WHERE b."id" = e."batchId" AND b."token" IS NOT NULL) AS "held",
    now()::timestamptz(3) AS "at"
  FROM "Email" e WHERE e."id" = ${emailId}::uuid FOR UPDATE
), "noted" AS (
  INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "link", "bot")
  SELECT uuid7(), "projectId", "id", '${constant(type)}', ${link}::text, false FROM "email"
), "raised" AS (
  UPDATE "Email" e SET ${setsOf[type]},
    "openedAt" = coalesce(e."openedAt", x."at"),
    "status" = CASE WHEN x."proven" OR e."status" < '${constant(reached[type])}' THEN '${constant(reached[type])}' ELSE e."status" END,
    "sentAt" = CASE WHEN x."proven" THEN coalesce(e."sentAt", x."at") ELSE e."sentAt" END,
    "error" = CASE WHEN NOT x."proven" THEN e."error" END,
    "batchId" = CASE WHEN x."held" OR NOT x."proven" THEN e."batchId" END,
    "uncertainAt" = CASE WHEN NOT x."proven" THEN e."uncertainAt" END,
    "updatedAt" = now()
  FROM "email" x WHERE e."id" = x."id" AND x."counts"
  RETURNING e.*, x."at"
), "counted" AS (
  UPDATE "CampaignCounter" c SET "openedCount" = c."openedCount" + d."opened", "clickedCount" = c."clickedCount" + d."clicked",
    "sentCount" = c."sentCount" + d."sent", "uncertainCount" = c."uncertainCount" - d."uncertain"
  FROM (
    SELECT x."campaignId", ("counts" AND "openedAt" IS NULL)::int AS "opened",
      (${type === 'click' ? Prisma.sql`"counts" AND "clickedAt" IS NULL` : constant('false')})::int AS "clicked",
      ("proven" AND "sentAt" IS NULL)::int AS "sent", ("status" = 'UNCERTAIN')::int AS "uncertain"
    FROM "email" x
  ) d
  WHERE c."campaignId" = d."campaignId" AND d."opened" + d."clicked" + d."sent" + d."uncertain" > 0
), "told" AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  SELECT uuid7(), e."projectId", 'SYSTEM', 'email.${constant(type)}',
    jsonb_build_object('emailId', e."id", 'subject', coalesce(e."subject", c."subject"), 'from', c."from", 'fromName', c."fromName",
      'messageId', coalesce(e."messageId", '<' || e."id" || '@' || split_part(c."from", '@', 2) || '>'),
      'templateId', e."templateId", 'campaignId', e."campaignId", 'sourceType', e."sourceType", ${newsOf[type](link)}),
    e."contactId", e."id"
  FROM "raised" e
  CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE "id" = e."contentId") c
  WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
)
SELECT FROM "email"`,
  );

const statements = { open: counted('open'), click: counted('click') };

/**
 * Records an open or click by a person: interaction, email, campaign counters and event in one statement. For an email that was never
 * sent (FAILED, SKIPPED) only the interaction is stored (behaviour B3.3).
 *
 * Runs on the pool with asynchronous commits: the recipients of a campaign share the row of its counters, and would otherwise wait for
 * each other's commit.
 */
export async function storeInteraction(
  asyncCommit: Pool,
  { type, emailId, link }: Interaction,
): Promise<void> {
  await asyncCommit.query(statements[type]({ emailId, link }));
}

/** Stores an interaction by a bot: no status, counter, filter or event changes (behaviour B1.5). */
export async function storeBotInteraction(pool: Pool, interaction: Interaction): Promise<void> {
  await pool.query(recordBot(interaction));
}

const recordBot = prepared<Interaction>(
  'record-bot',
  ({ type, emailId, link }) => Prisma.sql`
    INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "link", "bot")
    SELECT uuid7(), "projectId", "id", ${type}::"InteractionType", ${link}, true FROM "Email" WHERE "id" = ${emailId}::uuid`,
);

/** The content an email was created from; null when the email does not exist. */
export async function findContentOf(pool: Pool, emailId: string): Promise<string | null> {
  const { rows } = await pool.query<{ contentId: string }>(contentOfEmail({ emailId }));
  return rows[0]?.contentId ?? null;
}

const contentOfEmail = prepared<{ emailId: string }>(
  'content-of-email',
  ({ emailId }) => Prisma.sql`SELECT "contentId" FROM "Email" WHERE "id" = ${emailId}::uuid`,
);

/** Counts an opt-out for a campaign in a separate statement, on the pool with asynchronous commits. */
export async function countUnsubscribed(asyncCommit: Pool, campaignId: string): Promise<void> {
  await asyncCommit.query(addUnsubscribed({ campaignId }));
}

const addUnsubscribed = prepared<{ campaignId: string }>(
  'count-unsubscribed',
  ({ campaignId }) => Prisma.sql`
    UPDATE "CampaignCounter" SET "unsubscribedCount" = "unsubscribedCount" + 1 WHERE "campaignId" = ${campaignId}::uuid`,
);
