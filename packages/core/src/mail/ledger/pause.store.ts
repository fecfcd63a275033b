import type { PoolClient } from 'pg';
import { constant, type Db, Prisma, prepared } from '../../base/db/index.ts';
import type { BatchKey } from './batch.ts';
import { byBatchKey, byKey } from './by-key.ts';
import { released } from './release.ts';

/** Whether the campaign of a batch with this alias is paused. */
export const isPaused = (batch: string): Prisma.Sql => {
  const campaign = constant(`k."id" = ${batch}."campaignId"`);
  return Prisma.sql`coalesce((SELECT k."pausedAt" IS NOT NULL FROM "Campaign" k WHERE ${campaign}), false)`;
};

const pausedCampaign = (id: string): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "Campaign" WHERE "id" = ${id}::uuid AND "pausedAt" IS NOT NULL)`;

/** Whether nothing but a pause holds a batch of this wave: its campaign has no pace, and the wave is not the rest of a test that is undecided. */
const isFree = (id: string, wave: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "Campaign" k WHERE k."id" = ${id}::uuid AND k."perHour" IS NULL AND NOT k."careful" AND (k."test" IS NULL OR ${wave} <= k."wave"))`;

interface OneCampaign {
  projectId: string;
  campaignId: string;
}

/** Batches that one statement holds or releases: about a third of a second. */
const batchesAtOnce = 20_000;

/**
 * Holds the waiting batches of a paused campaign, so that no claim looks at them. To be called after the commit of the pause. What a process
 * claims meanwhile reads the pause after its claim (`holdBatch`), and what others have locked is claimed later, and held then.
 *
 * @returns how many
 */
export async function holdWaiting(
  db: Db,
  { projectId, campaignId }: OneCampaign,
  limit = batchesAtOnce,
): Promise<number> {
  return db.$executeRaw(Prisma.sql`
UPDATE "DeliveryBatch" b SET "held" = true FROM (
  SELECT w."id" FROM "DeliveryBatch" w
  WHERE w."projectId" = ${projectId}::uuid AND w."campaignId" = ${campaignId}::uuid AND w."token" IS NULL AND NOT w."held" AND ${pausedCampaign(campaignId)}
  LIMIT ${limit}::int FOR UPDATE OF w SKIP LOCKED
) waiting WHERE ${byKey('b."id"', 'waiting."id"')}`);
}

/**
 * Releases held batches of a campaign that is not paused; with a pace, only second attempts (`releasePaced`), and the rest of a test only once it is
 * decided. Times of retries are kept; what waited for the limits of its contact is due, because these may have changed during the pause. The rest of a
 * test is due now, and not since its freeze.
 *
 * @returns how many
 */
export async function releaseHeldBatches(
  db: Db,
  { projectId, campaignId }: OneCampaign,
  limit = batchesAtOnce,
): Promise<number> {
  return db.$executeRaw(Prisma.sql`
UPDATE "DeliveryBatch" b SET "held" = false, "nextAttemptAt" = CASE WHEN b."heldBy" IS NOT NULL THEN now()
    WHEN b."wave" > 0 AND NOT b."again" THEN greatest(b."nextAttemptAt", now()) ELSE b."nextAttemptAt" END FROM (
  SELECT h."id" FROM "DeliveryBatch" h
  WHERE h."projectId" = ${projectId}::uuid AND h."campaignId" = ${campaignId}::uuid AND h."held" AND NOT ${pausedCampaign(campaignId)}
    AND (h."again" OR h."heldBy" IS NOT NULL OR ${isFree(campaignId, constant('h."wave"'))})
  ORDER BY h."id" LIMIT ${limit}::int FOR UPDATE OF h SKIP LOCKED
) held WHERE ${byKey('b."id"', 'held."id"')}`);
}

const hold = prepared<BatchKey>(
  'hold-batch',
  ({ id, token }) => Prisma.sql`
UPDATE "DeliveryBatch" b SET ${released}, "held" = ${isPaused('b')}
FROM (SELECT ${id}::uuid AS "id", ${token}::uuid AS "token") k
WHERE ${byBatchKey('b.', 'k')} AND bit_count(b."begun") = 0 AND bit_count(b."answered") = 0`,
);

/** Gives back a claimed batch of which nothing has begun, because its campaign is paused. If it goes on meanwhile, the batch is due. */
export async function holdBatch(client: PoolClient, { id, token }: BatchKey): Promise<void> {
  await client.query(hold({ id, token }));
}

/** Batches that one call settles. */
const mostSettled = 200_000;

/**
 * Holds and releases what a race, or a process that was lost, has left: waiting batches of paused campaigns, and held ones of others. Runs every
 * minute.
 *
 * @returns the projects with email that became due, and how many batches were changed
 */
export async function settlePauses(db: Db): Promise<{ projectIds: string[]; batches: number }> {
  const paused = await db.$queryRaw<OneCampaign[]>`
    SELECT "projectId", "id" AS "campaignId" FROM "Campaign" WHERE "pausedAt" IS NOT NULL AND "status" = 'SENDING' ORDER BY "pausedAt" LIMIT 1000`;
  const left = await db.$queryRaw<OneCampaign[]>`
    WITH RECURSIVE held AS (
      (SELECT "projectId", "campaignId" FROM "DeliveryBatch" WHERE "held" ORDER BY "projectId", "campaignId" LIMIT 1)
      UNION ALL
      SELECT n.* FROM held h CROSS JOIN LATERAL (
        SELECT b."projectId", b."campaignId" FROM "DeliveryBatch" b
        WHERE b."held" AND (b."projectId", b."campaignId") > (h."projectId", h."campaignId") ORDER BY b."projectId", b."campaignId" LIMIT 1) n
    )
    SELECT h."projectId", h."campaignId" FROM held h WHERE NOT ${isPaused('h')} LIMIT 1000`;
  let batches = 0;
  for (const campaign of paused) batches += await untilDone(() => holdWaiting(db, campaign));
  const projectIds = new Set<string>();
  for (const campaign of left) {
    batches += await untilDone(() => releaseHeldBatches(db, campaign));
    projectIds.add(campaign.projectId);
  }
  return { projectIds: [...projectIds], batches };
}

async function untilDone(part: () => Promise<number>): Promise<number> {
  let done = 0;
  while (done < mostSettled) {
    const count = await part();
    done += count;
    if (count < batchesAtOnce) break;
  }
  return done;
}

/** Whether first attempts of the waves of a campaign that were released wait, or are in hand. What waits for the limits of its contact does not count. */
export async function hasFirstAttempts(db: Db, campaignId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
SELECT EXISTS (
  SELECT FROM "DeliveryBatch" b JOIN "Campaign" k ON k."id" = b."campaignId"
  WHERE b."campaignId" = ${campaignId}::uuid AND NOT b."again" AND b."heldBy" IS NULL AND b."wave" <= k."wave"
) AS "found"`);
  return row?.found ?? false;
}
