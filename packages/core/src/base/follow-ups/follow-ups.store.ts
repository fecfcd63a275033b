import type { Pool } from 'pg';
import { constant, Prisma, prepared } from '../db/index.ts';

export interface PendingFollowUps {
  /** events that something waits for */
  events: boolean;
  /** contacts or segments whose memberships are to be updated */
  membership: boolean;
  /** bounces or complaints since the last check of the project's levels */
  reputation: boolean;
}

const pending = prepared<{ projectId: string }>(
  'find-pending-follow-ups',
  ({ projectId }) => Prisma.sql`
    SELECT EXISTS (SELECT FROM "EventDispatch" WHERE "projectId" = ${projectId}) AS "events",
      EXISTS (SELECT FROM "TouchedContact" WHERE "projectId" = ${projectId})
        OR EXISTS (SELECT FROM "Segment" WHERE "projectId" = ${projectId} AND "trackMembership" AND "type" = 'DYNAMIC' AND "stale") AS "membership",
      EXISTS (SELECT FROM "ReputationCheck" WHERE "projectId" = ${projectId}) AS "reputation"`,
);

/** Whether a project has pending follow-ups. */
export async function findPendingFollowUps(pool: Pool, projectId: string): Promise<PendingFollowUps> {
  const { rows } = await pool.query<PendingFollowUps>(pending({ projectId }));
  return rows[0] ?? { events: false, membership: false, reputation: false };
}

/** The projects that have rows in a queue with an index on `projectId`, found by one step through the index per project. */
const projectsIn = (table: '"EventDispatch"' | '"TouchedContact"') => Prisma.sql`
  WITH RECURSIVE waiting("id") AS (
    (SELECT "projectId" FROM ${constant(table)} ORDER BY "projectId" LIMIT 1)
    UNION ALL
    SELECT (SELECT t."projectId" FROM ${constant(table)} t WHERE t."projectId" > waiting."id" ORDER BY t."projectId" LIMIT 1)
    FROM waiting WHERE waiting."id" IS NOT NULL
  )
  SELECT "id" FROM waiting WHERE "id" IS NOT NULL`;

const overdueMemberships = prepared(
  'overdue-memberships',
  () => Prisma.sql`
    SELECT "id" FROM (${projectsIn('"TouchedContact"')}) w
    UNION SELECT "projectId" FROM "Segment" WHERE "trackMembership" AND "type" = 'DYNAMIC' AND "stale"`,
);

/** Projects with contacts or segments whose memberships are to be updated, for `reconcile`. */
export async function findOverdueMemberships(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(overdueMemberships({}));
  return rows.map(({ id }) => id);
}
