import type { Pool } from 'pg';

export interface PendingFollowUps {
  /** events that something waits for */
  events: boolean;
  /** contacts or segments whose memberships are to be updated */
  membership: boolean;
  /** bounces or complaints since the last check of the project's levels */
  reputation: boolean;
}

/** Whether a project has pending follow-ups. */
export async function findPendingFollowUps(pool: Pool, projectId: string): Promise<PendingFollowUps> {
  const { rows } = await pool.query<PendingFollowUps>({
    name: 'find-pending-follow-ups',
    text: `SELECT EXISTS (SELECT FROM "EventDispatch" WHERE "projectId" = $1) AS "events",
      EXISTS (SELECT FROM "TouchedContact" WHERE "projectId" = $1)
        OR EXISTS (SELECT FROM "Segment" WHERE "projectId" = $1 AND "trackMembership" AND "type" = 'DYNAMIC' AND "stale") AS "membership",
      EXISTS (SELECT FROM "ReputationCheck" WHERE "projectId" = $1) AS "reputation"`,
    values: [projectId],
  });
  return rows[0] ?? { events: false, membership: false, reputation: false };
}

/** The projects that have rows in a queue with an index on `projectId`, found by one step through the index per project. */
const projectsIn = (table: '"EventDispatch"' | '"TouchedContact"'): string => `
  WITH RECURSIVE waiting("id") AS (
    (SELECT "projectId" FROM ${table} ORDER BY "projectId" LIMIT 1)
    UNION ALL
    SELECT (SELECT t."projectId" FROM ${table} t WHERE t."projectId" > waiting."id" ORDER BY t."projectId" LIMIT 1)
    FROM waiting WHERE waiting."id" IS NOT NULL
  )
  SELECT "id" FROM waiting WHERE "id" IS NOT NULL`;

/** Projects with events that something waits for, for `reconcile`; those with the oldest event first. */
export async function findOverdueEvents(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT w."id" FROM (${projectsIn('"EventDispatch"')}) w
     CROSS JOIN LATERAL (SELECT "eventId" FROM "EventDispatch" WHERE "projectId" = w."id" ORDER BY "eventId" LIMIT 1) oldest
     ORDER BY oldest."eventId"`,
  );
  return rows.map(({ id }) => id);
}

/** Projects with contacts or segments whose memberships are to be updated, for `reconcile`. */
export async function findOverdueMemberships(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "id" FROM (${projectsIn('"TouchedContact"')}) w
     UNION SELECT "projectId" FROM "Segment" WHERE "trackMembership" AND "type" = 'DYNAMIC' AND "stale"`,
  );
  return rows.map(({ id }) => id);
}
