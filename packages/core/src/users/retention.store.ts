import type { Services } from '../kernel/services.ts';
import { removeEndedAttempts } from './attempts.store.ts';
import { removeExpiredSessions } from './sessions.store.ts';

const dayMs = 86_400_000;

/**
 * Removes mailed tokens and sessions that expired a day ago, at most `limit` of each, and windows of sign-in limits that ended as long ago.
 *
 * @returns how many
 */
export async function sweepSignIns(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - dayMs);
  const tokens = await services.database.prisma.$executeRaw`
    DELETE FROM "AuthToken" WHERE "id" IN (
      SELECT "id" FROM "AuthToken" WHERE "expiresAt" < ${before} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
  const sessions = await removeExpiredSessions(services.database, before, limit);
  return tokens + sessions + (await removeEndedAttempts(services.database));
}
