import { type Db, Prisma } from '../../../base/db/index.ts';

/** What the emails of a variant, or of the rest, did. */
export interface VariantSums {
  /** the number of the variant; 0 for the rest */
  number: number;
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  refused: number;
  complained: number;
  unsubscribed: number;
}

const columns = Prisma.raw(
  ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'refused', 'complained', 'unsubscribed']
    .map((column) => `greatest(0, sum(f."${column}"))::int AS "${column}"`)
    .join(', '),
);
const listed = Prisma.raw(
  '"sent", "delivered", "opened", "clicked", "bounced", "refused", "complained", "unsubscribed"',
);

/** Sums over the emails of campaigns by variant, as of one moment: what is added up, and the entries that are not yet. */
export const sumByVariant = (
  db: Db,
  projectId: string,
  campaignIds: readonly string[],
): Promise<(VariantSums & { campaignId: string })[]> =>
  db.$queryRaw<(VariantSums & { campaignId: string })[]>`
    SELECT f."campaignId"::text AS "campaignId", f."number", ${columns} FROM (
      SELECT "scopeId" AS "campaignId", "key"::int AS "number", ${listed} FROM "Figure"
      WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ANY(${[...campaignIds]}::uuid[]) AND "dimension" = 'variant' AND "unit" = 'total'
      UNION ALL
      SELECT "campaignId", "variant"::int, ${listed} FROM "FigureEntry"
      WHERE "projectId" = ${projectId}::uuid AND "campaignId" = ANY(${[...campaignIds]}::uuid[]) AND "provider" IS NOT NULL AND "variant" IS NOT NULL
    ) f GROUP BY 1, 2`;

export interface VariantConversions {
  number: number;
  /** emails whose contact reached the goal in time */
  converted: number;
  /** of their values, those above the 99.9th percentile cut to it */
  sum: number;
  squares: number;
}

/**
 * Emails of campaigns whose contact reached the goal of the campaign within the window of the goal after they were sent, with or without a touch, by
 * variant. Read from the conversions since a campaign began, so that it costs as much as there are of these.
 */
export const conversionsByVariant = (
  db: Db,
  projectId: string,
  campaignIds: readonly string[],
): Promise<(VariantConversions & { campaignId: string })[]> =>
  db.$queryRaw<(VariantConversions & { campaignId: string })[]>`
    WITH "recipient" AS MATERIALIZED (
      SELECT c."id" AS "campaignId", m."variant"::int AS "number", m."id", coalesce(sum(v."value"), 0) AS "value", count(v."value") > 0 AS "hasValue"
      FROM "Campaign" c
      JOIN "Goal" g ON g."id" = c."goalId"
      JOIN "Conversion" v ON v."projectId" = c."projectId" AND v."goalId" = c."goalId" AND v."at" >= c."sentAt"
      CROSS JOIN LATERAL (
        SELECT "id", "variant", "sentAt" FROM "Email" WHERE "campaignId" = c."id" AND "contactId" = v."contactId" OFFSET 0) m
      WHERE c."projectId" = ${projectId}::uuid AND c."id" = ANY(${[...campaignIds]}::uuid[])
        AND m."variant" IS NOT NULL AND v."at" >= m."sentAt" AND v."at" < m."sentAt" + g."windowDays" * interval '1 day'
      GROUP BY 1, 2, 3
    ), "cut" AS (
      SELECT "campaignId", percentile_disc(0.999) WITHIN GROUP (ORDER BY "value") FILTER (WHERE "hasValue") AS "most" FROM "recipient" GROUP BY 1
    )
    SELECT r."campaignId"::text AS "campaignId", r."number", count(*)::int AS "converted",
      coalesce(sum(least(r."value", c."most")), 0)::float8 AS "sum", coalesce(sum(least(r."value", c."most") ^ 2), 0)::float8 AS "squares"
    FROM "recipient" r JOIN "cut" c USING ("campaignId") GROUP BY 1, 2`;

/** Rates of the last campaigns of a project within some hours of their beginning, in which emails were sent. */
export const usualRate = async (
  db: Db,
  projectId: string,
  { hours, fact }: { hours: number; fact: 'clicked' | 'opened' },
): Promise<number | null> => {
  const did = Prisma.raw(`"${fact}"`);
  const [row] = await db.$queryRaw<{ sent: number; did: number }[]>(Prisma.sql`
WITH "campaign" AS MATERIALIZED (
  SELECT c."id", c."sentAt" FROM "Campaign" c JOIN "CampaignCounter" k ON k."campaignId" = c."id"
  WHERE c."projectId" = ${projectId}::uuid AND c."status" = 'SENT' AND c."sentAt" IS NOT NULL AND k."sentCount" > 0
  ORDER BY c."sentAt" DESC LIMIT 10
)
SELECT coalesce(sum(f."sent"), 0)::float8 AS "sent",
  coalesce(sum(${did}) FILTER (WHERE f."at" < c."sentAt" + ${hours}::int * interval '1 hour'), 0)::float8 AS "did"
FROM "campaign" c JOIN "Figure" f ON f."projectId" = ${projectId}::uuid AND f."scopeId" = c."id" AND f."dimension" = 'campaign' AND f."unit" = 'quarter'`);
  return row && row.sent > 0 ? (row.did / row.sent) * 100 : null;
};
