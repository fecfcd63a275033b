import { type Db, findNeglectedRows, type NeglectedRow, Prisma, wasCanceled } from '../../base/db/index.ts';
import { badRequest } from '../../base/kernel/index.ts';
import { type ContactRow, contactColumns, contactUpsertCtes } from '../contacts/index.ts';
import type { ReceivedTopic } from '../topics/index.ts';
import type { FilterTree } from './filters.rules.ts';
import { compileTree } from './filters.store.ts';
import { firstSlug, freeSlug, recomputeSeconds } from './segments.rules.ts';
import type { SegmentInput } from './segments.schema.ts';

export type SegmentRow = Omit<Prisma.SegmentGetPayload<object>, 'condition'> & {
  condition: FilterTree | null;
};

const asRow = (row: Prisma.SegmentGetPayload<object>): SegmentRow => ({
  ...row,
  condition: row.condition as unknown as FilterTree | null,
});

export const nextComputeAt = (from: Date = new Date()): Date =>
  new Date(from.getTime() + recomputeSeconds * 1_000);

export async function findSegment(db: Db, projectId: string, id: string): Promise<SegmentRow | null> {
  const row = await db.segment.findFirst({ where: { id, projectId } });
  return row && asRow(row);
}

/** For workflows, which know nothing but the id. */
export async function findSegmentOfAny(db: Db, id: string): Promise<SegmentRow | null> {
  const row = await db.segment.findUnique({ where: { id } });
  return row && asRow(row);
}

export async function findSegments(db: Db, projectId: string, ids: string[]): Promise<SegmentRow[]> {
  const rows = await db.segment.findMany({ where: { projectId, id: { in: ids } } });
  return rows.map(asRow);
}

export async function listSegmentRows(db: Db, projectId: string): Promise<SegmentRow[]> {
  const rows = await db.segment.findMany({
    where: { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(asRow);
}

/** Locks the row until the transaction ends: membership of one segment is written by one transaction at a time. */
export async function lockSegment(db: Db, projectId: string | null, id: string): Promise<SegmentRow | null> {
  // The project is part of the lock, so that a known id does not let one tenant hold up another.
  await db.$queryRaw`SELECT 1 FROM "Segment" WHERE "id" = ${id}::uuid
    AND (${projectId}::uuid IS NULL OR "projectId" = ${projectId}::uuid) FOR NO KEY UPDATE`;
  const row = await db.segment.findFirst({ where: projectId === null ? { id } : { id, projectId } });
  return row && asRow(row);
}

/** Conditions of one project are written one at a time, so that two concurrent changes cannot create a cycle. */
export const lockConditions = (db: Db, projectId: string): Promise<unknown> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`segments/${projectId}`}, 0))`;

/** Whether the project has the segment. Within a transaction the segment cannot be removed until the end. */
export async function segmentExists(db: Db, projectId: string, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid FOR KEY SHARE`;
  return rows.length > 0;
}

/** Whether entering and leaving a segment is reported. A segment that does not exist yet may be. */
export async function isReportedSegment(db: Db, projectId: string, slug: string): Promise<boolean> {
  const segment = await db.segment.findFirst({
    where: { projectId, slug },
    select: { trackMembership: true },
  });
  return segment?.trackMembership ?? true;
}

/** Every field of the input, and what is derived from them. */
type NewSegment = Omit<Prisma.SegmentUncheckedCreateInput, 'condition' | 'slug'> &
  Record<keyof SegmentInput, unknown> & { condition: FilterTree | null };

/** Stores a segment under the slug of its name, with a number where another segment has that one. */
export async function insertSegment(db: Db, { condition, ...data }: NewSegment): Promise<SegmentRow> {
  const wanted = firstSlug({ id: data.id, name: data.name });
  const taken = new Set<string>();
  for (;;) {
    const slug = freeSlug(wanted, taken);
    const isNew = { ...data, slug, ...jsonOf(condition) };
    // Waits for a transaction that is about to take the slug. A unique violation would end this one.
    const { count } = await db.segment.createMany({ data: [isNew], skipDuplicates: true });
    if (count > 0) break;
    for (const each of await slugsLike(db, data.projectId, wanted)) taken.add(each);
    taken.add(slug);
  }
  return asRow(await db.segment.findUniqueOrThrow({ where: { id: data.id } }));
}

/** Slugs that begin like this one, which numbers are told apart from. */
async function slugsLike(db: Db, projectId: string, slug: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ slug: string }[]>`
    SELECT "slug" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND starts_with("slug", left(${slug}::text, 80))`;
  return rows.map((row) => row.slug);
}

export const isSlugTaken = async (db: Db, projectId: string, slug: string): Promise<boolean> =>
  (await db.segment.count({ where: { projectId, slug } })) > 0;

export const changeSegment = async (
  db: Db,
  id: string,
  { condition, ...data }: Omit<Prisma.SegmentUncheckedUpdateInput, 'condition'> & { condition?: FilterTree },
): Promise<SegmentRow> =>
  asRow(
    await db.segment.update({ where: { id }, data: { ...data, ...(condition ? jsonOf(condition) : {}) } }),
  );

const jsonOf = (condition: FilterTree | null): { condition?: Prisma.InputJsonValue } =>
  condition ? { condition: condition as unknown as Prisma.InputJsonObject } : {};

/** Removes a segment with its memberships and moments; interests go with `setEventInterests`. */
export async function removeSegment(db: Db, projectId: string, id: string): Promise<void> {
  await db.segmentMembership.deleteMany({ where: { projectId, segmentId: id } });
  await db.segmentDue.deleteMany({ where: { projectId, segmentId: id } });
  await db.segment.deleteMany({ where: { projectId, id } });
}

/** How long a query over a project's contacts may take within a request. */
const lookMs = 10_000;

/**
 * Limits each statement of `look` to 10 seconds, and then restores the limit of the connection. `db` must be a transaction.
 *
 * @throws AppError BAD_REQUEST when it takes longer
 */
export async function withinTime<T>(db: Db, look: () => Promise<T>): Promise<T> {
  await db.$executeRaw`SELECT set_config('statement_timeout', ${String(lookMs)}, true)`;
  try {
    const result = await look();
    await db.$executeRaw`SET LOCAL statement_timeout TO DEFAULT`;
    return result;
  } catch (error) {
    if (!wasCanceled(error)) throw error;
    throw badRequest('This condition takes too long to evaluate', {
      cause: error,
      suggestion: 'Simplify the condition. Equality and segment membership are the fastest filters',
    });
  }
}

/** @param known what checking the tree has read */
export const countMatching = async (
  db: Db,
  projectId: string,
  tree: FilterTree,
  known: { topics?: ReadonlyMap<string, ReceivedTopic> } = {},
): Promise<number> =>
  countContactsThat(db, projectId, await compileTree(db, projectId, tree, new Date(), known));

/** @param matches a condition over the alias `c` of "Contact" */
export async function countContactsThat(db: Db, projectId: string, matches: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${matches}`;
  return row?.count ?? 0;
}

interface MatchingPart {
  /** those that match */
  ids: string[];
  /** contacts that were looked at */
  seen: number;
  /** the last of them; null at the end */
  next: { createdAt: string; id: string } | null;
}

/** Looks at the next `limit` contacts after a position, in the order of their creation, which an index has. */
export async function findMatchingAfter(
  db: Db,
  projectId: string,
  tree: FilterTree,
  after: MatchingPart['next'],
  limit: number,
): Promise<MatchingPart> {
  const matches = await compileTree(db, projectId, tree);
  const beyond = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  const [row] = await db.$queryRaw<
    { ids: string[]; seen: number; createdAt: Date | null; id: string | null }[]
  >`
    WITH "part" AS MATERIALIZED (
      SELECT c."id", c."createdAt", ${matches} AS "matches" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid ${beyond} ORDER BY c."createdAt", c."id" LIMIT ${limit}::int)
    SELECT ARRAY(SELECT p."id"::text FROM "part" p WHERE p."matches") AS "ids",
      (SELECT count(*)::int FROM "part") AS "seen", l."createdAt", l."id"
    FROM (SELECT) one LEFT JOIN (SELECT "createdAt", "id" FROM "part" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) l ON true`;
  if (!row) throw new Error('looking at contacts gave no row');
  const { ids, seen, createdAt, id } = row;
  const isLast = seen < limit || createdAt === null || id === null;
  return { ids, seen, next: isLast ? null : { createdAt: createdAt.toISOString(), id } };
}

/** A place among the contacts of a project in the order of their creation. */
interface Position {
  createdAt: Date;
  id: string;
}

/** The next contacts after a position, and the last of them if there may be more. */
export async function readPart(
  db: Db,
  projectId: string,
  after: Position | null,
  limit: number,
): Promise<{ ids: string[]; next: Position | null }> {
  const beyond = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<Position[]>`
    SELECT c."id", c."createdAt" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid ${beyond}
    ORDER BY c."createdAt", c."id" LIMIT ${limit}::int`;
  const last = rows.at(-1);
  return { ids: rows.map(({ id }) => id), next: rows.length < limit ? null : (last ?? null) };
}

/** Keeps how far a pass has come. */
export const savePosition = (
  db: Db,
  { projectId, id }: SegmentRow,
  { createdAt, id: contactId }: Position,
): Promise<unknown> =>
  db.$executeRaw`UPDATE "Segment" SET "passedAt" = ${createdAt}::timestamptz, "passedId" = ${contactId}::uuid
    WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid`;

export async function countMembers(db: Db, projectId: string, segmentId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "SegmentMembership" m
    WHERE m."projectId" = ${projectId}::uuid AND m."segmentId" = ${segmentId}::uuid AND m."exitedAt" IS NULL
      AND EXISTS (SELECT FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."id" = m."contactId")`;
  return row?.count ?? 0;
}

/** The members of a segment: the stored rows of a STATIC one, the contacts that match the condition of a DYNAMIC one now. */
export const countOf = (db: Db, { projectId, id, type, condition }: SegmentRow): Promise<number> =>
  type === 'STATIC' || !condition ? countMembers(db, projectId, id) : countMatching(db, projectId, condition);

/** Writes the member count without changing `updatedAt`. */
export const writeCount = (db: Db, { projectId, id }: SegmentRow, count: number): Promise<unknown> =>
  db.$executeRaw`UPDATE "Segment" SET "memberCount" = ${count}, "computedAt" = now(),
      "failedReason" = CASE WHEN "trackMembership" THEN "failedReason" END
    WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid`;

/** One page of a segment's contacts and their total number: ids from an index, rows only for the page. */
export async function readMembers(
  db: Db,
  { projectId, id, type, condition }: SegmentRow,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: ContactRow[]; total: number }> {
  const offset = (page - 1) * pageSize;
  const isStatic = type === 'STATIC' || !condition;
  const ids = isStatic
    ? Prisma.sql`SELECT c."id", m."enteredAt" AS "at" FROM "SegmentMembership" m
        JOIN "Contact" c ON c."projectId" = ${projectId}::uuid AND c."id" = m."contactId"
        WHERE m."projectId" = ${projectId}::uuid AND m."segmentId" = ${id}::uuid AND m."exitedAt" IS NULL`
    : Prisma.sql`SELECT c."id", c."createdAt" AS "at" FROM "Contact" c
        WHERE c."projectId" = ${projectId}::uuid AND ${await compileTree(db, projectId, condition)}`;
  const rows = await db.$queryRaw<ContactRow[]>`
    WITH "page" AS (${ids} ORDER BY "at" DESC, "id" DESC LIMIT ${pageSize} OFFSET ${offset})
    SELECT ${contactColumns}
    FROM "page" p JOIN "Contact" c ON c."id" = p."id" ORDER BY p."at" DESC, c."id" DESC`;
  const total = isStatic
    ? await countMembers(db, projectId, id)
    : await countMatching(db, projectId, condition);
  return { rows, total };
}

/** Members by their addresses, as the project stores them. */
export const findByAddress = (
  db: Db,
  projectId: string,
  addresses: readonly string[],
): Promise<{ id: string; email: string }[]> => db.$queryRaw`
  SELECT "id", "email" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${addresses}::text[])`;

/** Segments that need a computation: changed since the last one, or due; oldest first. */
export const findNeglected = (db: Db, after: NeglectedRow | null, limit: number): Promise<NeglectedRow[]> =>
  findNeglectedRows(
    db,
    [
      Prisma.sql`SELECT "id", "updatedAt" AS "since" FROM "Segment"
        WHERE "wakeSeq" > "seenSeq" AND "updatedAt" < now() - interval '5 seconds'`,
      Prisma.sql`SELECT "id", "nextComputeAt" AS "since" FROM "Segment"
        WHERE "nextComputeAt" IS NOT NULL AND "nextComputeAt" < now() + interval '30 seconds'`,
    ],
    after,
    limit,
  );

/** Marks everything up to the `wakeSeq` read under the lock as done. @param nextAt when the segment is due again */
export const markComputed = (
  db: Db,
  { projectId, id, wakeSeq }: SegmentRow,
  count: number,
  nextAt: Date | null,
): Promise<unknown> =>
  db.$executeRaw`UPDATE "Segment" SET "memberCount" = ${count}, "stale" = false, "failedReason" = NULL, "seenSeq" = ${wakeSeq}::bigint,
      "passedAt" = NULL, "passedId" = NULL,
      "computedAt" = now(), "nextComputeAt" = ${nextAt}::timestamptz
    WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid`;

/**
 * Records that a segment could not be computed as of `seen` (its `wakeSeq`). Members and count keep their last values; the next
 * computation is due at the regular time.
 */
export const markFailed = (db: Db, id: string, seen: bigint, failedReason: string): Promise<unknown> =>
  db.$executeRaw`UPDATE "Segment" SET "failedReason" = ${failedReason}, "stale" = false, "passedAt" = NULL, "passedId" = NULL,
      "seenSeq" = greatest("seenSeq", ${seen}::bigint), "nextComputeAt" = ${nextComputeAt()}::timestamptz
    WHERE "id" = ${id}::uuid`;

/** Locks a segment for removal, waiting for transactions that are about to reference it (`segmentExists`). */
export async function lockForRemoval(
  db: Db,
  projectId: string,
  id: string,
): Promise<{ id: string; slug: string; name: string } | null> {
  const rows = await db.$queryRaw<{ id: string; slug: string; name: string }[]>`
    SELECT "id", "slug", "name" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

/** @param changes value of `toUpsertInput` */
export const createContacts = (
  db: Db,
  projectId: string,
  changes: string,
  subscribed: boolean,
): Promise<{ id: string; email: string; isNew: boolean }[]> =>
  db.$queryRaw`
    WITH ${contactUpsertCtes({ project: projectId, changes, defaultSubscribed: subscribed })}
    SELECT "id", "email", "is_new" AS "isNew" FROM "contact"`;
