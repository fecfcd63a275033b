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

/** What does not leave at present: since a restore, or because a mail server takes no email, or none of some sender domains. */
export interface Pauses {
  /** since the last restore of the database, or because it is moved (behaviour B11.6) */
  hold: 'all' | 'marketing' | null;
  isPaused: boolean;
  senders: { projectId: string; domain: string }[];
}

export async function findPauses(db: Db, routeId: string): Promise<Pauses> {
  const [row] = await db.$queryRaw<Pauses[]>`
    SELECT (SELECT CASE WHEN "stoppedAt" IS NULL THEN "hold" ELSE 'all' END FROM "Installation" WHERE "id" = 1) AS "hold",
      EXISTS (SELECT FROM "Route" WHERE "id" = ${routeId} AND "pausedAt" IS NOT NULL) AS "isPaused",
      (SELECT coalesce(json_agg(json_build_object('projectId', d."projectId", 'domain', d."domain")), '[]')
        FROM "SenderPause" s JOIN "Domain" d ON d."id"::text = s."sender" WHERE s."routeId" = ${routeId}) AS "senders"`;
  return row ?? { hold: null, isPaused: false, senders: [] };
}
