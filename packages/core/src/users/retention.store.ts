import type { Services } from '../kernel/services.ts';
import { removeEndedAttempts } from './attempts.store.ts';

const dayMs = 86_400_000;

/**
 * Removes mailed tokens that expired a day ago, at most `limit`, and windows of sign-in limits that ended as long ago.
 *
 * @returns how many
 */
export async function sweepSignIns(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - dayMs);
  const tokens = await services.database.prisma.$executeRaw`
    DELETE FROM "AuthToken" WHERE "id" IN (
      SELECT "id" FROM "AuthToken" WHERE "expiresAt" < ${before} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
  return tokens + (await removeEndedAttempts(services.database));
}
