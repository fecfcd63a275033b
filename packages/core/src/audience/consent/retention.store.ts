import type { Services } from '../../base/kernel/services.ts';

/** How long proofs outlive what they prove: until claims about it have expired (behaviour B12.9). */
const keptYears = 3;

/**
 * Removes at most `limit` acts of contacts that were deleted three years ago, and subscription requests that were closed then.
 *
 * @returns how many, of what there is more of
 */
export async function sweepConsent(
  { database: { prisma } }: Services,
  now: Date,
  limit: number,
): Promise<number> {
  // An act that was stored later than that belongs to a contact that was deleted later still.
  const acts = await prisma.$executeRaw`
    DELETE FROM "ConsentAct" WHERE ctid = ANY(ARRAY(
      SELECT a.ctid FROM "ConsentAct" a
      WHERE a."contactId" IS NULL AND a."recordedAt" < ${now}::timestamptz - ${keptYears}::int * interval '1 year'
        AND NOT EXISTS (SELECT FROM "ErasedContact" e WHERE e."projectId" = a."projectId" AND e."addressHash" = a."addressHash"
          AND e."createdAt" >= ${now}::timestamptz - ${keptYears}::int * interval '1 year')
      ORDER BY a."recordedAt" LIMIT ${limit}::int))`;
  const requests = await prisma.$executeRaw`
    DELETE FROM "SubscriptionRequest" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "SubscriptionRequest" WHERE "closedAt" < ${now}::timestamptz - ${keptYears}::int * interval '1 year'
      ORDER BY "closedAt" LIMIT ${limit}::int))`;
  return Math.max(acts, requests);
}
