import type { Pool } from 'pg';

const filled = ['Contact', 'Event', 'EventDispatch', 'SegmentMembership', 'WorkflowExecution'];

/** Only `analyze` tells the planner about rows: a run must not depend on when autovacuum comes by. */
export async function stopAutovacuum(db: Pool): Promise<void> {
  // Events lie in a slice, which has the settings.
  for (const table of filled.map((each) => (each === 'Event' ? 'Event_1' : each)))
    await db.query(`ALTER TABLE "${table}" SET (autovacuum_enabled = false)`);
}

export const analyze = (db: Pool): Promise<unknown> =>
  db.query(`ANALYZE ${filled.map((table) => `"${table}"`).join(', ')}`);

/** Contacts with one event each, which a trigger queues for dispatch because a segment reads events of that name. */
export async function fillWithEvents(
  db: Pool,
  projectId: string,
  segmentId: string,
  eventName: string,
  count: number,
): Promise<void> {
  await db.query(
    `INSERT INTO "EventInterest" ("projectId", "name", "sourceId") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [projectId, eventName, segmentId],
  );
  await db.query(
    `WITH person AS (
       INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1::uuid, n || '@people.test' FROM generate_series(1, $3::int) n RETURNING "id"
     )
     INSERT INTO "Event" ("id", "projectId", "name", "kind", "contactId", "createdAt")
     SELECT uuid7(), $1::uuid, $2, 'CUSTOM', "id", now() FROM person`,
    [projectId, eventName, count],
  );
}

export async function queuedEvents(db: Pool, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "EventDispatch" WHERE "projectId" = $1`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** Idempotency keys whose time is over. */
export const insertExpiredKeys = (db: Pool, projectId: string, count: number): Promise<unknown> =>
  db.query(
    `INSERT INTO "IdempotencyKey" ("projectId", "key", "request", "statusCode", "createdAt")
     SELECT $1::uuid, gen_random_uuid()::text, repeat('0', 64), 200, now() - interval '40 days' - n * interval '1 millisecond'
     FROM generate_series(1, $2::int) n`,
    [projectId, count],
  );

export async function expiredKeys(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "IdempotencyKey" WHERE "createdAt" < now() - interval '39 days'`,
  );
  return rows[0]?.count ?? 0;
}
