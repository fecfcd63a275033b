import type { Db } from '../../base/db/index.ts';

/** Since when and why the mail server is not used; null while it is. */
export async function findRoutePause(
  db: Db,
  routeId: string,
): Promise<{ since: Date; reason: string } | null> {
  const route = await db.route.findUnique({
    where: { id: routeId },
    select: { pausedAt: true, reason: true },
  });
  return route?.pausedAt ? { since: route.pausedAt, reason: route.reason ?? '' } : null;
}
