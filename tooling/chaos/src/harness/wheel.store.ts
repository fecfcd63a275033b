import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

export interface Spread {
  /** from now until the first contact is an hour old */
  leadMs: number;
  /** from the first to the last */
  overMs: number;
}

/** Contacts that become an hour old one after the other. */
export async function insertAgingContacts(
  db: Pool,
  projectId: string,
  count: number,
  { leadMs, overMs }: Spread,
): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "createdAt", "updatedAt")
     SELECT uuid7(), $1, 'p' || n || '@people.test',
       now() - interval '1 hour' + ($3::float8 + $4::float8 * n / $2::int) * interval '1 millisecond', now()
     FROM generate_series(0, $2::int - 1) n`,
    [projectId, count, leadMs, overMs],
  );
  await db.query('ANALYZE "Contact"');
}

/** How many contacts have moved by an event of this name, with the time of the database. */
export async function countMoved(
  db: Pool,
  projectId: string,
  name: string,
): Promise<{ at: number; count: number }> {
  const { rows } = await db.query<{ at: Date; count: number }>(
    `SELECT clock_timestamp() AS "at", (SELECT count(*)::int FROM "Event" WHERE "projectId" = $1 AND "name" = $2) AS "count"`,
    [projectId, name],
  );
  return { at: rows[0]?.at.getTime() ?? 0, count: rows[0]?.count ?? 0 };
}

export interface Moved {
  /** when the contact became an hour old */
  due: Date;
  exits: number;
  entries: number;
  /** milliseconds from its time to the event; negative if it was early */
  lateMs: number | null;
}

/** What became of every contact. */
export async function readMoved(db: Pool, projectId: string, entry: string, exit: string): Promise<Moved[]> {
  const { rows } = await db.query<Moved>(
    `SELECT c."createdAt" + interval '1 hour' AS "due", count(e."id") FILTER (WHERE e."name" = $3)::int AS "exits",
       count(e."id") FILTER (WHERE e."name" = $2)::int AS "entries",
       extract(epoch FROM min(e."createdAt") FILTER (WHERE e."name" = $3) - c."createdAt" - interval '1 hour')::float8 * 1000 AS "lateMs"
     FROM "Contact" c LEFT JOIN "Event" e ON e."contactId" = c."id" AND e."name" IN ($2, $3)
     WHERE c."projectId" = $1 GROUP BY c."id" ORDER BY c."createdAt"`,
    [projectId, entry, exit],
  );
  return rows;
}

/** Active memberships of a segment, what its row says, and moments that are left. */
export async function readSegment(
  db: Pool,
  segmentId: string,
): Promise<{ members: number; memberCount: number; moments: number }> {
  const { rows } = await db.query<{ members: number; memberCount: number; moments: number }>(
    `SELECT (SELECT count(*)::int FROM "SegmentMembership" WHERE "segmentId" = $1 AND "exitedAt" IS NULL) AS "members",
       (SELECT "memberCount" FROM "Segment" WHERE "id" = $1) AS "memberCount",
       (SELECT count(*)::int FROM "SegmentDue" WHERE "segmentId" = $1) AS "moments"`,
    [segmentId],
  );
  const [row] = rows;
  if (!row) throw new Error('The segment cannot be read.');
  return row;
}
