import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { type ContactRow, contactColumns } from '../contacts/index.ts';
import { compileSegments } from './filters.store.ts';
import type { SegmentRow } from './segments.store.ts';

/** Conditions in one statement. */
const segmentsAtOnce = 200;

/** Which of the segments each contact belongs to at this moment. Contacts of other projects are left out. */
export async function segmentsOfEach(
  db: Db,
  projectId: string,
  contactIds: readonly string[],
  segments: readonly SegmentRow[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (let start = 0; start < segments.length; start += segmentsAtOnce) {
    const compiled = await compileSegments(
      db,
      projectId,
      segments.slice(start, start + segmentsAtOnce),
      segments,
    );
    const memberships = compiled.map(
      ([{ id }, isMember]) => Prisma.sql`CASE WHEN ${isMember} THEN ${id}::text END`,
    );
    const rows = await db.$queryRaw<{ id: string; segmentIds: string[] }[]>`
      SELECT c."id"::text AS "id", array_remove(ARRAY[${Prisma.join(memberships)}], NULL) AS "segmentIds"
      FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."id" = ANY(${contactIds}::uuid[])`;
    for (const { id, segmentIds } of rows) {
      const known = found.get(id) ?? new Set();
      for (const segmentId of segmentIds) known.add(segmentId);
      found.set(id, known);
    }
  }
  return found;
}

export interface MemberRow extends ContactRow {
  segmentId: string;
}

/** One keyset page of the contacts of each segment, newest first. */
export async function membersOfEach(
  db: Db,
  projectId: string,
  segments: readonly SegmentRow[],
  { after, take }: { after: Keyset | null; take: number },
): Promise<MemberRow[]> {
  if (segments.length === 0) return [];
  const older = after
    ? Prisma.sql`AND (c."createdAt", c."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  const pages = (await compileSegments(db, projectId, segments)).map(
    ([{ id }, isMember]) => Prisma.sql`(
      SELECT ${id}::text AS "segmentId", ${contactColumns}
      FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${isMember} ${older}
      ORDER BY c."createdAt" DESC, c."id" DESC LIMIT ${take}::int)`,
  );
  return db.$queryRaw<MemberRow[]>`
    SELECT * FROM (${Prisma.join(pages, ' UNION ALL ')}) m ORDER BY m."createdAt" DESC, m."id" DESC`;
}

export async function countMembersOfEach(
  db: Db,
  projectId: string,
  segments: readonly SegmentRow[],
): Promise<{ id: string; count: number }[]> {
  if (segments.length === 0) return [];
  const counts = (await compileSegments(db, projectId, segments)).map(
    ([{ id }, isMember]) => Prisma.sql`
      SELECT ${id}::text AS "id", count(*)::int AS "count" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid AND ${isMember}`,
  );
  return db.$queryRaw`${Prisma.join(counts, ' UNION ALL ')}`;
}
