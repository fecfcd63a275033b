import type { Pool } from 'pg';

export interface PendingFollowUps {
  /** events that something waits for */
  events: boolean;
  /** contacts or segments whose memberships are to be updated */
  membership: boolean;
}

/** Whether a project has pending follow-ups. */
export async function findPendingFollowUps(pool: Pool, projectId: string): Promise<PendingFollowUps> {
  const { rows } = await pool.query<PendingFollowUps>({
    name: 'find-pending-follow-ups',
    text: `SELECT EXISTS (SELECT FROM "EventDispatch" WHERE "projectId" = $1) AS "events",
      EXISTS (SELECT FROM "TouchedContact" WHERE "projectId" = $1)
        OR EXISTS (SELECT FROM "Segment" WHERE "projectId" = $1 AND "trackMembership" AND "type" = 'DYNAMIC' AND "stale") AS "membership"`,
    values: [projectId],
  });
  return rows[0] ?? { events: false, membership: false };
}

/** Projects whose follow-ups have waited longer than a signal takes, for `reconcile`. */
export async function findOverdueFollowUps(
  pool: Pool,
  limit: number,
): Promise<{ events: string[]; membership: string[] }> {
  const of = async (text: string): Promise<string[]> =>
    (await pool.query<{ id: string }>(text, [limit])).rows.map(({ id }) => id);
  const [events, membership] = await Promise.all([
    of(`SELECT DISTINCT "projectId" AS id FROM "EventDispatch" LIMIT $1`),
    of(`SELECT "projectId" AS id FROM "TouchedContact" UNION
        SELECT "projectId" FROM "Segment" WHERE "trackMembership" AND "type" = 'DYNAMIC' AND "stale" LIMIT $1`),
  ]);
  return { events, membership };
}
