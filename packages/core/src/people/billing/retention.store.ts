import type { Services } from '../../base/kernel/index.ts';

const dayMs = 86_400_000;
/** Stripe repeats a notification for three days, and resends one by hand for thirty. */
const keptDays = 60;

/** Removes the ids of processed notifications, and reservations of campaigns that ended before their audience was frozen. */
export async function sweepBilling({ database }: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  const notices = await database.prisma.$executeRaw`
    DELETE FROM "PaymentNotice" WHERE "id" IN (
      SELECT "id" FROM "PaymentNotice" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int)`;
  const reservations = await database.prisma.$executeRaw`
    DELETE FROM "UsageReservation" WHERE "campaignId" IN (
      SELECT r."campaignId" FROM "UsageReservation" r LEFT JOIN "Campaign" c ON c."id" = r."campaignId"
      WHERE c."status" IS DISTINCT FROM 'SENDING' OR c."frozenAt" IS NOT NULL LIMIT ${limit}::int)`;
  return notices + reservations;
}
