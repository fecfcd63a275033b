import type { Db } from '../../base/db/index.ts';

/** Contacts of one segment whose moment has come. */
export interface DueContacts {
  projectId: string;
  segmentId: string;
  contactIds: string[];
}

/** The contacts whose moments came first, by their segments. Those of the segments `except` are left for later. */
export const findDue = (db: Db, except: readonly string[], limit: number): Promise<DueContacts[]> =>
  db.$queryRaw`
    SELECT d."projectId"::text AS "projectId", d."segmentId"::text AS "segmentId", array_agg(d."contactId"::text) AS "contactIds" FROM (
      SELECT "projectId", "segmentId", "contactId", "at" FROM "SegmentDue"
      WHERE "at" <= now() AND "segmentId" <> ALL(${[...except]}::uuid[]) ORDER BY "at" LIMIT ${limit}::int) d
    GROUP BY d."projectId", d."segmentId" ORDER BY min(d."at"), d."segmentId"`;

/** Time until the next moment in milliseconds, negative if it has come; null without one. */
export async function msUntilNext(db: Db): Promise<number | null> {
  const [row] = await db.$queryRaw<{ ms: number | null }[]>`
    SELECT extract(epoch FROM (SELECT min("at") FROM "SegmentDue") - clock_timestamp())::float8 * 1000 AS "ms"`;
  return row?.ms ?? null;
}

/** Locks a segment until the transaction ends, unless another transaction writes its memberships. @returns whether it did */
export async function lockUnlessBusy(db: Db, projectId: string, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

/** Whether a segment was removed since it was found, and is not only locked. */
export const isGone = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.segment.count({ where: { projectId, id } })) === 0;

/** Those of some contacts whose moment has come and was not followed meanwhile. The caller holds the lock of the segment. */
export async function stillDue(db: Db, { projectId, segmentId, contactIds }: DueContacts): Promise<string[]> {
  const rows = await db.$queryRaw<{ contactId: string }[]>`
    SELECT "contactId"::text AS "contactId" FROM "SegmentDue"
    WHERE "segmentId" = ${segmentId}::uuid AND "contactId" = ANY(${contactIds}::uuid[]) AND "projectId" = ${projectId}::uuid AND "at" <= now()`;
  return rows.map(({ contactId }) => contactId);
}

/** Forgets moments that are not followed: those of a removed segment, or of one that is to be computed whole, which makes new ones. */
export const dropDue = (db: Db, { projectId, segmentId, contactIds }: DueContacts): Promise<number> =>
  db.$executeRaw`
    DELETE FROM "SegmentDue" WHERE "segmentId" = ${segmentId}::uuid AND "contactId" = ANY(${[...contactIds]}::uuid[])
      AND "projectId" = ${projectId}::uuid`;
