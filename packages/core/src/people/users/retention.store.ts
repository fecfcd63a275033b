import type { Services } from '../../base/kernel/services.ts';
import { signInKeptMs } from './retention.rules.ts';
import { removeExpiredSessions } from './sessions.store.ts';

/** Removes mailed tokens and sessions that expired a day ago, and requests for links that failed for a day, at most `limit` of each. @returns how many */
export async function sweepSignIns(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - signInKeptMs);
  const tokens = await services.database.prisma.$executeRaw`
    DELETE FROM "AuthToken" WHERE "id" IN (
      SELECT "id" FROM "AuthToken" WHERE "expiresAt" < ${before} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
  const sessions = await removeExpiredSessions(services.database, before, limit);
  const requests = await services.database.prisma.$executeRaw`
    DELETE FROM "PendingMail" WHERE "id" IN (
      SELECT "id" FROM "PendingMail" WHERE "createdAt" < ${before} ORDER BY "id" LIMIT ${limit}::int)`;
  return tokens + sessions + requests;
}

/** Removes windows of sign-in limits that ended more than a day ago, at most `limit`: they no longer limit anything. @returns how many */
export async function sweepAttempts(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - signInKeptMs);
  return services.database.prisma.$executeRaw`
    DELETE FROM "AuthAttempt" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "AuthAttempt" WHERE "windowStart" < ${before} LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;
}
