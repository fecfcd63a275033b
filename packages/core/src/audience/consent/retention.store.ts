import { Prisma } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { actsKeptFor } from './consent.rules.ts';

/** Until when proofs are kept that go now: claims about what they prove have expired (behaviour B12.9). */
const keptUntil = (now: Date): Prisma.Sql => Prisma.sql`${now}::timestamptz - ${actsKeptFor}::interval`;

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
      WHERE a."contactId" IS NULL AND a."recordedAt" < ${keptUntil(now)}
        AND NOT EXISTS (SELECT FROM "ErasedContact" e WHERE e."projectId" = a."projectId" AND e."addressHash" = a."addressHash"
          AND e."createdAt" >= ${keptUntil(now)})
      ORDER BY a."recordedAt" LIMIT ${limit}::int))`;
  const requests = await prisma.$executeRaw`
    DELETE FROM "SubscriptionRequest" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "SubscriptionRequest" WHERE "closedAt" < ${keptUntil(now)}
      ORDER BY "closedAt" LIMIT ${limit}::int))`;
  return Math.max(acts, requests);
}

/** For how long after the three years an opt-out is looked at, in days: longer than any sweep is away. */
const lookedAtDays = 90;

/**
 * Removes the addresses, pages and programs of clients from the acts of at most `limit` contacts that opted out three years ago and are still
 * opted out.
 *
 * @returns how many contacts
 */
export async function sweepClients(
  { database: { prisma } }: Services,
  now: Date,
  limit: number,
): Promise<number> {
  const rows = await prisma.$queryRaw<{ contacts: number }[]>`
    WITH "left" AS MATERIALIZED (
      SELECT c."id", c."projectId" FROM "ConsentAct" a JOIN "Contact" c ON c."id" = a."contactId" AND c."consentSeq" = a."seq"
      WHERE a."action" = 'unsubscribe' AND a."contactId" IS NOT NULL AND NOT c."subscribed"
        AND a."recordedAt" < ${keptUntil(now)}
        AND a."recordedAt" >= ${keptUntil(now)} - ${lookedAtDays}::int * interval '1 day'
        AND EXISTS (SELECT FROM "ConsentAct" o WHERE o."contactId" = c."id" AND o."recordedAt" <= a."recordedAt"
          AND (o."page" IS NOT NULL OR o."ip" IS NOT NULL OR o."userAgent" IS NOT NULL))
      ORDER BY a."recordedAt" LIMIT ${limit}::int
    ), "cleared" AS (
      UPDATE "ConsentAct" a SET "page" = NULL, "ip" = NULL, "userAgent" = NULL FROM "left" l
      WHERE a."contactId" = l."id" AND a."projectId" = l."projectId"
        AND a."recordedAt" < ${keptUntil(now)}
        AND (a."page" IS NOT NULL OR a."ip" IS NOT NULL OR a."userAgent" IS NOT NULL)
    )
    SELECT count(*)::int AS "contacts" FROM "left"`;
  return rows[0]?.contacts ?? 0;
}
