import type { Services } from '../../base/kernel/services.ts';

const dayMs = 86_400_000;

/** Removes invitations that expired a day ago, at most `limit`. @returns how many */
export async function sweepInvitations(services: Services, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - dayMs);
  return services.database.prisma.$executeRaw`
    DELETE FROM "Invitation" WHERE "id" IN (
      SELECT "id" FROM "Invitation" WHERE "expiresAt" < ${before} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
}
