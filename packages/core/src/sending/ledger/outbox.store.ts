import type { Pool } from 'pg';
import { Prisma, prepared } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

/** Records until when a delivery activity listens for this project's new email; 0 ms ends it. */
export async function setListening(pool: Pool, projectId: string, forMs: number): Promise<void> {
  await pool.query(listen({ projectId, forMs }));
}

const listen = prepared<{ projectId: string; forMs: number }>(
  'set-listening',
  ({ projectId, forMs }) => Prisma.sql`
    INSERT INTO "Outbox" AS o ("projectId", "listeningUntil") VALUES (${projectId}, clock_timestamp() + ${forMs} * interval '1 millisecond')
    ON CONFLICT ("projectId") DO UPDATE SET "listeningUntil" = excluded."listeningUntil"`,
);

const notify = prepared<{ channel: string; projectId: string }>(
  'notifyListeners-mail',
  ({ channel, projectId }) => Prisma.sql`
    SELECT pg_notify(${channel}, ${projectId}) IS NOT NULL AS notified,
      EXISTS (SELECT FROM "Outbox" WHERE "projectId" = ${projectId}::uuid AND "listeningUntil" > clock_timestamp()) AS listening`,
);

/** Notifies listening lanes of new email. @returns whether one listens; otherwise the workflow must be signalled */
export async function notifyListeners(pool: Pool, channel: string, projectId: string): Promise<boolean> {
  const { rows } = await pool.query<{ listening: boolean }>(notify({ channel, projectId }));
  return rows[0]?.listening ?? false;
}

const levels = [...new Set(Object.values(priorities))];

/**
 * Projects with email that has been due for a while and is not claimed, for `reconcile` to signal. Skips through the
 * claim index from project to project instead of reading every row.
 */
export async function overdueOutboxes(pool: Pool, overdueSeconds: number, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ projectId: string }>(
    `WITH RECURSIVE project AS (
       (SELECT "projectId" FROM "Delivery" ORDER BY "projectId" LIMIT 1)
       UNION ALL
       SELECT (SELECT d."projectId" FROM "Delivery" d WHERE d."projectId" > project."projectId" ORDER BY d."projectId" LIMIT 1)
       FROM project WHERE project."projectId" IS NOT NULL
     )
     SELECT "projectId" FROM project
     WHERE "projectId" IS NOT NULL AND EXISTS (
       SELECT FROM unnest('{${levels.join()}}'::int[]) AS priority(n)
       CROSS JOIN LATERAL (
         SELECT FROM "Delivery" d WHERE d."projectId" = project."projectId" AND d."priority" = priority.n
           AND d."nextAttemptAt" < now() - $1 * interval '1 second' LIMIT 1
       ) due
     )
     LIMIT $2`,
    [overdueSeconds, limit],
  );
  return rows.map(({ projectId }) => projectId);
}

/** The project's own emails per second; null for the default rate (B8.2). */
export async function ownSendRate(pool: Pool, projectId: string): Promise<number | null> {
  const { rows } = await pool.query<{ sendRate: number | null }>(
    `SELECT "sendRate" FROM "Project" WHERE "id" = $1`,
    [projectId],
  );
  return rows[0]?.sendRate ?? null;
}
