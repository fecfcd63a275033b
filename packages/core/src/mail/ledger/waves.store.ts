import { constant, type Db, Prisma } from '../../base/db/index.ts';

export interface Wave {
  wave: number;
  kind: 'local' | 'careful';
  /** null for one that is released by something else */
  dueAt: Date | null;
  /** since when its emails may be sent */
  releasedAt: Date | null;
  /** its emails, without those that were skipped from the beginning */
  recipients: number;
  /** those of them that do not wait for their first attempt */
  done: number;
}

interface SentInWaves {
  id: string;
  careful: boolean;
  localAt: string | null;
}

const noAnswers = constant(`''::bytea`);

/** The waves of campaigns, in their order, by campaign; one that is not sent in waves, or not frozen, is missing. */
export async function wavesOf(
  db: Db,
  projectId: string,
  campaigns: readonly SentInWaves[],
): Promise<Map<string, Wave[]>> {
  const ids = campaigns.flatMap(({ id, careful, localAt }) => (careful || localAt !== null ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<(Wave & { campaignId: string })[]>(Prisma.sql`
WITH waiting AS MATERIALIZED (
  SELECT b."campaignId", b."wave", sum(cardinality(b."emailIds") - bit_count(coalesce(b."answered", ${noAnswers})))::int AS emails
  FROM "DeliveryBatch" b WHERE b."campaignId" = ANY(${ids}::uuid[]) AND b."projectId" = ${projectId}::uuid AND NOT b."again" GROUP BY 1, 2
)
SELECT w."campaignId", w."wave", w."kind", w."dueAt", coalesce(w."releasedAt", CASE WHEN w."dueAt" <= now() THEN w."dueAt" END) AS "releasedAt",
  w."recipients", greatest(0, w."recipients" - coalesce(b.emails, 0)) AS "done"
FROM "CampaignWave" w JOIN "Campaign" c ON c."id" = w."campaignId" AND c."projectId" = ${projectId}::uuid
LEFT JOIN waiting b ON b."campaignId" = w."campaignId" AND b."wave" = w."wave"
WHERE w."campaignId" = ANY(${ids}::uuid[]) ORDER BY w."campaignId", w."wave"`);
  return Map.groupBy(rows, ({ campaignId }) => campaignId);
}

/** SQL: whether the time of the wave of a batch with this alias has not come. */
export const waitsForWave = (batch: string): Prisma.Sql => {
  const wave = constant(
    `w."campaignId" = ${batch}."campaignId" AND w."wave" = ${batch}."wave" AND w."dueAt" > now()`,
  );
  return Prisma.sql`EXISTS (SELECT FROM "CampaignWave" w WHERE ${wave})`;
};
