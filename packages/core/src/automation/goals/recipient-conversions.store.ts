import { constant, type Db, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { CountedConversion } from './counted-conversion.ts';

/** Doubles hold no sum further from zero. */
const largest = constant('1.7976931348623157e308::numeric');
/** The reason of emails that a holdout leaves out. */
const heldOut = constant(`'held_out'`);
/** When an email took effect: one that was held out, when it would have been sent. */
const begunAt = constant(`coalesce(m."sentAt", m."createdAt")`);

/**
 * Counts conversions to the emails of campaigns that have their goal, in the transaction that counts them: to each that the contact got in the window of
 * the goal before, or was held out of, touched or not. Rows are written in the order of their keys.
 */
export async function countRecipients(
  db: SqlDb,
  projectId: string,
  conversions: readonly CountedConversion[],
): Promise<void> {
  if (conversions.length === 0) return;
  const given = conversions.map(({ goalId, contactId, at, value, windowDays }) => ({
    ...{ goalId, contactId, at: at.toISOString(), value, windowDays },
  }));
  await db.$executeRaw`
    INSERT INTO "RecipientConversion" ("goalId", "emailId", "projectId", "campaignId", "heldOut", "conversions", "value", "at")
    SELECT k."goalId", m."id", ${projectId}::uuid, m."campaignId", m."heldOut", count(*)::int,
      CASE WHEN count(k."value") > 0 THEN greatest(-${largest}, least(${largest}, sum(k."value"::numeric)))::float8 END, min(k."at")
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS k("goalId" uuid, "contactId" uuid, "at" timestamptz, "value" float8, "windowDays" int)
    CROSS JOIN LATERAL (
      SELECT m."id", m."campaignId", m."sentAt" IS NULL AS "heldOut" FROM "Email" m
      WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = k."contactId" AND m."createdAt" <= k."at" AND m."sourceType" = 'CAMPAIGN'
        AND (m."sentAt" IS NOT NULL OR (m."status" = 'SKIPPED' AND m."reason" = ${heldOut}))
        AND ${begunAt} <= k."at" AND ${begunAt} >= k."at" - k."windowDays" * interval '1 day'
        AND EXISTS (SELECT FROM "Campaign" c WHERE c."id" = m."campaignId" AND c."goalId" = k."goalId" AND ${ofProject('c."projectId"', projectId)})
      OFFSET 0) m
    GROUP BY k."goalId", m."id", m."campaignId", m."heldOut" ORDER BY k."goalId", m."id"
    ON CONFLICT ("goalId", "emailId") DO UPDATE SET "conversions" = "RecipientConversion"."conversions" + excluded."conversions",
      "at" = least("RecipientConversion"."at", excluded."at"),
      "value" = CASE WHEN "RecipientConversion"."value" IS NULL THEN excluded."value" WHEN excluded."value" IS NULL THEN "RecipientConversion"."value"
        ELSE greatest(-${largest}, least(${largest}, "RecipientConversion"."value"::numeric + excluded."value"::numeric))::float8 END`;
}

/** What campaigns have led to, by their goals. */
export interface CampaignConversions {
  campaignId: string;
  goalId: string;
  goalName: string;
  /** of the values of the goal; null for one without */
  currency: string | null;
  /** emails that were sent, and of those that were held out, whose contact reached the goal */
  converted: number;
  heldOutConverted: number;
  /** sum of the values of the former, a decimal; null for none */
  value: string | null;
}

/** Campaigns without a goal are missing. */
export async function conversionsOfCampaigns(
  db: Db,
  projectId: string,
  campaignIds: readonly string[],
): Promise<Map<string, CampaignConversions>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db.$queryRaw<CampaignConversions[]>(Prisma.sql`
    SELECT c."id"::text AS "campaignId", g."id"::text AS "goalId", g."name" AS "goalName", g."valueCurrency" AS "currency", r.*
    FROM "Campaign" c JOIN "Goal" g ON g."id" = c."goalId"
    CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE NOT r."heldOut"))::int AS "converted", (count(*) FILTER (WHERE r."heldOut"))::int AS "heldOutConverted",
        (sum(r."value"::numeric) FILTER (WHERE NOT r."heldOut"))::text AS "value"
      FROM "RecipientConversion" r WHERE r."campaignId" = c."id" AND r."goalId" = c."goalId") r
    WHERE c."id" = ANY(${[...campaignIds]}::uuid[]) AND c."projectId" = ${projectId}::uuid`);
  return new Map(rows.map((row) => [row.campaignId, row]));
}

/** The values that recipients of a campaign have led to, by their emails; those who did not reach its goal are missing. */
export async function valuesOfEmails(
  db: Db,
  projectId: string,
  campaignId: string,
  emailIds: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await db.$queryRaw<{ emailId: string; value: number | null }[]>(Prisma.sql`
    SELECT r."emailId"::text AS "emailId", r."value" FROM "Campaign" c
    JOIN "RecipientConversion" r ON r."goalId" = c."goalId" AND r."emailId" = ANY(${[...emailIds]}::uuid[])
    WHERE c."id" = ${campaignId}::uuid AND c."projectId" = ${projectId}::uuid`);
  return new Map(rows.map(({ emailId, value }) => [emailId, value]));
}

/** Removes who converted of a campaign that is gone. */
export async function removeRecipients(db: Db, campaignId: string): Promise<void> {
  await db.$executeRaw`DELETE FROM "RecipientConversion" WHERE "campaignId" = ${campaignId}::uuid`;
}
