import type { PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { byKey } from './by-key.ts';

/** Campaigns that one statement looks at, and batches of each that it releases at most. */
const campaignsAtOnce = constant(1_000);
const batchesAtOnce = constant(2_000);

const release = prepared<Record<string, never>>(
  'release-paced',
  () => Prisma.sql`
WITH paced AS MATERIALIZED (
  SELECT c."id", c."projectId", c."perHour"::float8 AS rate, c."pacedAt", c."wave", clock_timestamp()::timestamptz(3) AS at FROM "Campaign" c
  WHERE (c."perHour" IS NOT NULL OR c."careful") AND c."status" = 'SENDING' AND c."pausedAt" IS NULL
  ORDER BY c."id" LIMIT ${campaignsAtOnce} FOR NO KEY UPDATE SKIP LOCKED
), next AS MATERIALIZED (
  SELECT p.*, b."id" AS "batchId", first_value(b.size) OVER w AS first, sum(b.size) OVER w AS upto
  FROM paced p CROSS JOIN LATERAL (
    SELECT h."id", cardinality(h."emailIds") AS size FROM "DeliveryBatch" h
    WHERE h."projectId" = p."projectId" AND h."campaignId" = p."id" AND h."held" AND NOT h."again" AND h."heldBy" IS NULL AND h."wave" <= p."wave"
    ORDER BY h."id" LIMIT ${batchesAtOnce} FOR UPDATE SKIP LOCKED
  ) b
  WINDOW w AS (PARTITION BY p."id" ORDER BY b."id")
), budget AS MATERIALIZED (
  -- What the time since allows: of a minute at most, or one batch. So no burst follows an outage.
  SELECT n.*, CASE WHEN n.rate IS NULL THEN 'Infinity'::float8 ELSE least(greatest(n.rate / 60, n.first),
    CASE WHEN n."pacedAt" IS NULL THEN 'Infinity'::float8 ELSE n.rate * greatest(0, extract(epoch FROM n.at - n."pacedAt")) / 3600 END) END AS budget FROM next n
), released AS (
  UPDATE "DeliveryBatch" b SET "held" = false, "nextAttemptAt" = now() FROM budget f
  WHERE ${byKey('b."id"', 'f."batchId"')} AND f.upto <= f.budget
), used AS MATERIALIZED (
  SELECT "id", "projectId", at, rate, "pacedAt", budget, coalesce(max(upto) FILTER (WHERE upto <= budget), 0) AS emails
  FROM budget GROUP BY 1, 2, 3, 4, 5, 6
), noted AS (
  -- What was not used stays. A time ahead is one of a clock that has been set back since.
  UPDATE "Campaign" c SET "pacedAt" = u.at - (u.budget - u.emails) / u.rate * interval '1 hour' FROM used u
  WHERE ${byKey('c."id"', 'u."id"')} AND u.rate IS NOT NULL AND (u.emails > 0 OR u."pacedAt" > u.at)
)
SELECT DISTINCT "projectId" FROM used WHERE emails > 0`,
);

/** Waves of a campaign that is sent carefully. */
const lastWave = constant(3);
/** From the end of a wave to the next. */
const betweenWaves = constant(`interval '15 minutes'`);

const advance = prepared<Record<string, never>>(
  'advance-waves',
  () => Prisma.sql`
WITH careful AS MATERIALIZED (
  SELECT c."id", c."wave", c."waveDoneAt" FROM "Campaign" c
  WHERE c."careful" AND c."status" = 'SENDING' AND c."pausedAt" IS NULL AND c."frozenAt" IS NOT NULL AND c."wave" < ${lastWave}
  ORDER BY c."id" LIMIT ${campaignsAtOnce} FOR NO KEY UPDATE SKIP LOCKED
), done AS (
  UPDATE "Campaign" c SET "waveDoneAt" = now() FROM careful f
  WHERE ${byKey('c."id"', 'f."id"')} AND f."wave" > 0 AND f."waveDoneAt" IS NULL AND NOT EXISTS (
    SELECT FROM "DeliveryBatch" b WHERE b."campaignId" = f."id" AND NOT b."again" AND b."heldBy" IS NULL AND b."wave" <= f."wave")
), moved AS (
  UPDATE "Campaign" c SET "wave" = c."wave" + 1, "waveDoneAt" = NULL FROM careful f
  WHERE ${byKey('c."id"', 'f."id"')} AND (f."wave" = 0 OR f."waveDoneAt" < now() - ${betweenWaves})
  RETURNING c."id", c."wave"
)
UPDATE "CampaignWave" w SET "releasedAt" = now() FROM moved m WHERE ${byKey('w."campaignId"', 'm."id"')} AND w."wave" = m."wave"`,
);

/**
 * Releases the next first attempts of campaigns with a pace, as many as the time since the last release allows (behaviour B13.4): in any t hours
 * at most perHour × t + perHour / 60 and one batch; of those that are sent carefully, the waves whose turn it is. Any number of processes may run it, each as often as it likes: the row of the campaign
 * orders them, and has the time up to which the pace was used.
 *
 * @returns the projects of what was released
 */
export async function releasePaced(client: PoolClient): Promise<string[]> {
  await client.query(advance({}));
  const { rows } = await client.query<{ projectId: string }>(release({}));
  return rows.map(({ projectId }) => projectId);
}
