import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

/** Contacts that a tracked segment of those who are less than an hour old does not have, each with a moment far ahead. */
export async function fillWheel(
  db: Pool,
  { projectId, segmentId, contacts }: { projectId: string; segmentId: string; contacts: number },
): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `WITH made AS (
       INSERT INTO "Contact" ("id", "projectId", "email", "data", "createdAt", "updatedAt")
       SELECT uuid7(), $1, 'p' || n || '@people.test', '{"plan": "pro"}', now() - interval '30 days', now()
       FROM generate_series(1, $3::int) n RETURNING "id"
     )
     INSERT INTO "SegmentDue" ("segmentId", "contactId", "projectId", "at")
     SELECT $2::uuid, "id", $1, now() + interval '20 hours' + random() * interval '5 hours' FROM made`,
    [projectId, segmentId, contacts],
  );
  await db.query('DELETE FROM "TouchedContact" WHERE "projectId" = $1', [projectId]);
  // With this many contacts the segment is computed as a whole, which is not what is measured.
  await db.query('UPDATE "Segment" SET "stale" = false, "seenSeq" = "wakeSeq" WHERE "id" = $1', [segmentId]);
  await db.query('VACUUM ANALYZE "Contact"');
  await db.query('VACUUM ANALYZE "SegmentDue"');
}

/** Makes contacts members whose time to leave has come, wherever they are among the others. */
export async function makeDue(
  db: Pool,
  { projectId, segmentId, count }: { projectId: string; segmentId: string; count: number },
): Promise<void> {
  await db.query(
    `WITH chosen AS (
       SELECT "id" FROM "Contact" WHERE "projectId" = $1 ORDER BY hashtext("id"::text || clock_timestamp()) LIMIT $3::int
     ), entered AS (
       INSERT INTO "SegmentMembership" ("projectId", "segmentId", "contactId") SELECT $1, $2::uuid, "id" FROM chosen
       ON CONFLICT ("segmentId", "contactId") DO UPDATE SET "exitedAt" = NULL
     )
     INSERT INTO "SegmentDue" ("segmentId", "contactId", "projectId", "at")
     SELECT $2::uuid, "id", $1, now() - interval '1 second' FROM chosen
     ON CONFLICT ("segmentId", "contactId") DO UPDATE SET "at" = EXCLUDED."at"`,
    [projectId, segmentId, count],
  );
}

export async function countMembers(db: Pool, segmentId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "SegmentMembership" WHERE "segmentId" = $1 AND "exitedAt" IS NULL`,
    [segmentId],
  );
  return rows[0]?.count ?? 0;
}
