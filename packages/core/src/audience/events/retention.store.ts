import { Prisma } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { limitOf, slicesToSweep } from '../../base/slices/index.ts';

/**
 * Removes at most `limit` events that are older than `EVENT_DAYS`, project by project, from slices that newer ones keep. The slice is named, so that
 * no trigger runs: counts of events stay, as they do when a slice is dropped.
 *
 * @returns how many
 */
export async function sweepEvents({ config, database }: Services, now: Date, limit: number): Promise<number> {
  const { EVENT_DAYS: days } = config;
  if (days === undefined) return 0;
  const before = limitOf(days, now);
  let removed = 0;
  for (const slice of await slicesToSweep(database, 'Event', before)) {
    if (removed >= limit) break;
    const name = Prisma.raw(`"${slice}"`);
    removed += await database.prisma.$executeRaw`
      DELETE FROM ${name} WHERE "id" = ANY(ARRAY(
        SELECT e."id" FROM "Project" p CROSS JOIN LATERAL (
          SELECT o."id" FROM ${name} o WHERE o."projectId" = p."id" AND o."createdAt" < ${before}::timestamptz
          ORDER BY o."createdAt" LIMIT ${limit - removed}::int) e
        LIMIT ${limit - removed}::int))`;
  }
  return removed;
}
