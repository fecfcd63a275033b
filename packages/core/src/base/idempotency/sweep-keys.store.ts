import type { Services } from '../kernel/services.ts';

/** Removes expired idempotency keys (behaviour B8.4), at most `limit`. @returns how many */
export async function sweepIdempotencyKeys(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - services.config.IDEMPOTENCY_TTL_HOURS * 3_600_000);
  return services.database.prisma.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "IdempotencyKey" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int
      FOR UPDATE SKIP LOCKED))`;
}
