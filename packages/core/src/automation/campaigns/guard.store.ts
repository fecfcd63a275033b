import { type Db, Prisma } from '../../base/db/index.ts';
import { countedSince, type GuardCounts, reasonToPause } from './guard.rules.ts';

interface Guarded extends GuardCounts {
  projectId: string;
  base: GuardCounts | null;
}

/** What the guard of a campaign counts, since it was resumed last; null for one without a guard, and one that is paused or not being sent. */
export async function readGuarded(
  db: Db,
  campaignId: string,
): Promise<{ projectId: string; counts: GuardCounts } | null> {
  const [row] = await db.$queryRaw<Guarded[]>(Prisma.sql`
SELECT c."projectId", c."guardBase" AS "base", k."sentCount" AS "sent", k."refusedCount" AS "refused", k."bouncedCount" AS "bounced",
  k."complainedCount" AS "complained", k."unsubscribedCount" AS "unsubscribed"
FROM "Campaign" c JOIN "CampaignCounter" k ON k."campaignId" = c."id"
WHERE c."id" = ${campaignId}::uuid AND c."status" = 'SENDING' AND c."pausedAt" IS NULL AND c."guard"`);
  if (!row) return null;
  const { projectId, base, ...counts } = row;
  return { projectId, counts: countedSince(counts, base) };
}

/** Bounces and complaints of a campaign that are known only from unproven reports, which the recipients of its email can write themselves. */
export async function countUnproven(
  db: Db,
  campaignId: string,
): Promise<Pick<GuardCounts, 'bounced' | 'complained'>> {
  const rows = await db.$queryRaw<{ status: 'BOUNCED' | 'COMPLAINED'; count: number }[]>(Prisma.sql`
SELECT l."status"::text AS "status", count(DISTINCT e."id")::int AS "count"
FROM "RecipientLog" l CROSS JOIN LATERAL unnest(l."emailIds") AS u("id")
CROSS JOIN LATERAL (SELECT "id", "unprovenNews" FROM "Email" WHERE "id" = u."id" OFFSET 0) e
WHERE l."campaignId" = ${campaignId}::uuid AND l."status" IN ('BOUNCED', 'COMPLAINED') AND e."unprovenNews"
GROUP BY 1`);
  const of = (status: string): number => rows.find((row) => row.status === status)?.count ?? 0;
  return { bounced: of('BOUNCED'), complained: of('COMPLAINED') };
}

/** Why the guard pauses a campaign now; null when it does not. Unproven reports do not count. */
export async function judge(
  db: Db,
  campaignId: string,
): Promise<{ projectId: string; reason: NonNullable<ReturnType<typeof reasonToPause>> } | null> {
  const guarded = await readGuarded(db, campaignId);
  // Unproven reports are looked up only where it depends on them.
  if (!guarded || reasonToPause(guarded.counts) === null) return null;
  const { bounced, complained } = await countUnproven(db, campaignId);
  const { projectId, counts } = guarded;
  const reason = reasonToPause({
    ...counts,
    bounced: Math.max(0, counts.bounced - bounced),
    complained: Math.max(0, counts.complained - complained),
  });
  return reason && { projectId, reason };
}
