import type { Pool } from 'pg';

/** How far contacts from before the log have been brought into it. */
export interface Progress {
  done: number;
  isOver: boolean;
}

export async function progressOf(db: Pool): Promise<Progress> {
  const { rows } = await db.query<Progress>(
    `SELECT "done"::int AS "done", "completedAt" IS NOT NULL AS "isOver" FROM "ConsentPass" WHERE "part" = 'history'`,
  );
  return rows[0] ?? { done: 0, isOver: false };
}

/** The first contacts by creation. */
export async function firstContacts(
  db: Pool,
  projectId: string,
  count: number,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await db.query<{ id: string; email: string }>(
    `SELECT "id", "email" FROM "Contact" WHERE "projectId" = $1 ORDER BY "createdAt", "id" LIMIT $2`,
    [projectId, count],
  );
  return rows;
}

/** Who can be mailed of all but some contacts: how many, and a hash of their ids. */
export async function whoCanBeMailed(
  db: Pool,
  projectId: string,
  without: readonly string[],
): Promise<string> {
  const { rows } = await db.query<{ count: number; hash: string }>(
    `SELECT count(*)::int AS "count", sum(hashtextextended("id"::text, 0))::text AS "hash" FROM "Contact"
     WHERE "projectId" = $1 AND "subscribed" AND "snoozedUntil" IS NULL AND NOT "id" = ANY($2::uuid[])`,
    [projectId, without],
  );
  return `${rows[0]?.count} (${rows[0]?.hash})`;
}

/** Events of before the log, and the acts that they have become. */
export async function eventsAndActs(db: Pool, projectId: string): Promise<{ events: number; acts: number }> {
  const { rows } = await db.query<{ events: number; acts: number }>(
    `SELECT (SELECT count(*)::int FROM "Event" WHERE "projectId" = $1 AND "createdAt" < now() - interval '300 days'
         AND "name" IN ('contact.subscribed', 'contact.unsubscribed')) AS "events",
       (SELECT count(*)::int FROM "ConsentAct" WHERE "projectId" = $1 AND "eventId" IS NOT NULL AND "at" < now() - interval '300 days') AS "acts"`,
    [projectId],
  );
  return rows[0] ?? { events: 0, acts: 0 };
}
