import { type Db, Prisma, presentTime, type SqlDb } from '../../base/db/index.ts';
import { eventRow, insertEvents, segmentEvent, storedWithName } from '../../base/event-types/index.ts';
import { eraseTraces } from '../contacts/index.ts';
import { compileForEach, compileTree } from './filters.store.ts';
import { findDependents } from './graph.store.ts';
import { compileMoment } from './moments.store.ts';
import { manyContacts, wheelMs } from './segments.rules.ts';
import type { SegmentRow } from './segments.store.ts';

export interface MembershipChange {
  added: number;
  removed: number;
}

const touchedPerBatch = 1_000;

/**
 * Consequences of a membership change made by the CTEs `gone` and `come` (each returns "contactId"): the events of a
 * tracked segment, and both counts. It is part of the same statement, so every change has exactly one event.
 */
function followedByEvents(segment: SegmentRow): Prisma.Sql {
  const { slug } = segment;
  const data = JSON.stringify({ segmentId: segment.id, segmentName: segment.name });
  const event = (change: 'entry' | 'exit', from: Prisma.Sql): Prisma.Sql => Prisma.sql`
    ${eventRow({
      ...storedWithName('SYSTEM', Prisma.sql`${segmentEvent(slug, change)}::text`),
      projectId: Prisma.sql`${segment.projectId}::uuid`,
      data: Prisma.sql`${data}::jsonb`,
      contactId: Prisma.sql`"contactId"`,
    })}
    FROM ${from} WHERE ${segment.trackMembership}::boolean`;
  return Prisma.sql`, "told" AS (
    ${insertEvents}
    ${event('exit', Prisma.sql`"gone"`)}
    UNION ALL ${event('entry', Prisma.sql`"come"`)}
  )
  SELECT (SELECT count(*)::int FROM "come") AS "added", (SELECT count(*)::int FROM "gone") AS "removed"`;
}

/** Entries of the contacts in `source` (a relation with "id"); rows of former members are reused. */
const entriesFrom = ({ projectId, id }: SegmentRow, source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO "SegmentMembership" AS m ("projectId", "segmentId", "contactId")
  SELECT ${projectId}::uuid, ${id}::uuid, x."id" FROM ${source} x
  WHERE NOT EXISTS (SELECT FROM "SegmentMembership" a
    WHERE a."segmentId" = ${id}::uuid AND a."contactId" = x."id" AND a."exitedAt" IS NULL)
  ON CONFLICT ("segmentId", "contactId") DO UPDATE SET "enteredAt" = now(), "exitedAt" = NULL
    WHERE m."exitedAt" IS NOT NULL
  RETURNING m."contactId"`;

async function change(db: Db, statement: Prisma.Sql): Promise<MembershipChange> {
  const [row] = await db.$queryRaw<MembershipChange[]>(statement);
  return row ?? { added: 0, removed: 0 };
}

/** Whether time alone changes who matches the condition of a segment. */
export async function isTimed(db: Db, { projectId, condition }: SegmentRow): Promise<boolean> {
  const now = new Date();
  const until = new Date(now.getTime() + wheelMs);
  return condition !== null && (await compileMoment(db, projectId, condition, { now, until })) !== null;
}

/** A statement has 32,767 parameters at most. */
const mostParameters = 30_000;

/**
 * Updates the membership of a tracked DYNAMIC segment to what its condition matches now, by set difference, and the moments of the same
 * contacts in the wheel. The caller must hold the segment's row lock. `fits` is false for a condition that is too long for that: what
 * time changes is then found by the next computation.
 *
 * @param contactIds limits the update to these contacts; null for all contacts of the project
 */
export async function applyCondition(
  db: Db,
  segment: SegmentRow,
  contactIds: readonly string[] | null,
): Promise<MembershipChange & { fits: boolean }> {
  const { projectId, id, condition } = segment;
  // Of this moment and not of the transaction, which may have waited for the lock: what was decided later must not be decided again before.
  const now = await presentTime(db);
  const compile = contactIds ? compileForEach : compileTree;
  const matches = condition ? await compile(db, projectId, condition, now) : Prisma.sql`FALSE`;
  const until = new Date(now.getTime() + wheelMs);
  const found = condition && (await compileMoment(db, projectId, condition, { now, until }));
  const fits = !found || matches.values.length + found.values.length < mostParameters;
  // The list is sent once, and looked up by keys: whatever its length is, the planner expects a few.
  const these = contactIds
    ? Prisma.sql`"these" AS MATERIALIZED (SELECT unnest(${contactIds}::uuid[]) AS "id"), `
    : Prisma.empty;
  const ofThese = (column: Prisma.Sql): Prisma.Sql =>
    contactIds ? Prisma.sql`AND ${column} = ANY(ARRAY(SELECT "id" FROM "these"))` : Prisma.empty;
  const changed = await change(
    db,
    Prisma.sql`WITH ${these}"matched" AS MATERIALIZED (
      SELECT c."id" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid ${ofThese(Prisma.sql`c."id"`)} AND ${matches}
    ), "gone" AS (
      UPDATE "SegmentMembership" m SET "exitedAt" = now()
      WHERE m."segmentId" = ${id}::uuid AND m."projectId" = ${projectId}::uuid AND m."exitedAt" IS NULL
        ${ofThese(Prisma.sql`m."contactId"`)}
        AND NOT EXISTS (SELECT FROM "matched" x WHERE x."id" = m."contactId")
      RETURNING m."contactId"
    ), "come" AS (${entriesFrom(segment, Prisma.sql`"matched"`)})${onTheWheel(segment, fits ? found : null, ofThese)}${followedByEvents(segment)}`,
  );
  return { ...changed, fits };
}

/** CTEs that give the contacts of a statement their next moments, and take away those they had. */
function onTheWheel(
  { projectId, id }: SegmentRow,
  moment: Prisma.Sql | null,
  ofThese: (column: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql {
  const former = Prisma.sql`DELETE FROM "SegmentDue" d WHERE d."segmentId" = ${id}::uuid AND d."projectId" = ${projectId}::uuid
    ${ofThese(Prisma.sql`d."contactId"`)}`;
  if (!moment) return Prisma.sql`, "passed" AS (${former})`;
  return Prisma.sql`, "next" AS MATERIALIZED (
      SELECT w."id", w."at" FROM (
        SELECT c."id", ${moment} AS "at" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid ${ofThese(Prisma.sql`c."id"`)} OFFSET 0) w
      WHERE w."at" IS NOT NULL
    ), "passed" AS (
      ${former} AND NOT EXISTS (SELECT FROM "next" x WHERE x."id" = d."contactId")
    ), "turning" AS (
      INSERT INTO "SegmentDue" AS d ("segmentId", "contactId", "projectId", "at")
      SELECT ${id}::uuid, x."id", ${projectId}::uuid, x."at" FROM "next" x
      WHERE NOT EXISTS (SELECT FROM "SegmentDue" k
        WHERE k."segmentId" = ${id}::uuid AND k."contactId" = x."id" AND k."at" = x."at")
      ON CONFLICT ("segmentId", "contactId") DO UPDATE SET "at" = EXCLUDED."at"
    )`;
}

/** Adds contacts to a STATIC segment. The caller must hold its row lock. */
export const enter = (
  db: Db,
  segment: SegmentRow,
  contactIds: readonly string[],
): Promise<MembershipChange> =>
  change(
    db,
    Prisma.sql`WITH "gone" AS (SELECT NULL::uuid AS "contactId" WHERE FALSE),
    "come" AS (${entriesFrom(segment, Prisma.sql`(SELECT unnest(${contactIds}::uuid[]) AS "id")`)})
    ${followedByEvents(segment)}`,
  );

/** Removes contacts from a STATIC segment. The caller must hold its row lock. */
export const leave = (
  db: Db,
  segment: SegmentRow,
  contactIds: readonly string[],
): Promise<MembershipChange> =>
  change(
    db,
    Prisma.sql`WITH "come" AS (SELECT NULL::uuid AS "contactId" WHERE FALSE),
    "gone" AS (
      UPDATE "SegmentMembership" m SET "exitedAt" = now()
      WHERE m."segmentId" = ${segment.id}::uuid AND m."projectId" = ${segment.projectId}::uuid AND m."exitedAt" IS NULL
        AND m."contactId" = ANY(${contactIds}::uuid[])
      RETURNING m."contactId"
    )${followedByEvents(segment)}`,
  );

const forgottenAtOnce = 1_000;

/** Memberships of deleted contacts are removed without an exit event, and so is what a computation wrote about them after their erasure. */
export async function forgetDeletedContacts(db: Db, { projectId, id }: SegmentRow): Promise<void> {
  const rows = await db.$queryRaw<{ contactId: string }[]>`
    DELETE FROM "SegmentMembership" m
    WHERE m."segmentId" = ${id}::uuid AND m."projectId" = ${projectId}::uuid
      AND NOT EXISTS (SELECT FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."id" = m."contactId")
    RETURNING m."contactId"`;
  const ids = rows.map(({ contactId }) => contactId);
  for (let from = 0; from < ids.length; from += forgottenAtOnce)
    await eraseTraces(db, projectId, ids.slice(from, from + forgottenAtOnce));
}

export async function dropMembership(db: Db, { projectId, id }: SegmentRow): Promise<void> {
  await db.segmentMembership.deleteMany({ where: { projectId, segmentId: id } });
  await db.segmentDue.deleteMany({ where: { projectId, segmentId: id } });
}

/**
 * Schedules the tracked segments that read this one for the contacts that this transaction moved: per contact, or in
 * full when there are very many.
 */
export async function touchDependents(
  db: Db,
  { projectId, id }: SegmentRow,
  { added, removed }: MembershipChange,
): Promise<void> {
  if (added + removed === 0) return;
  const tracked = (await findDependents(db, projectId, id)).flatMap((each) =>
    each.trackMembership ? [each.id] : [],
  );
  if (tracked.length === 0) return;
  if (added + removed > manyContacts) {
    await markStale(db, projectId, tracked);
    return;
  }
  // Timestamps have millisecond precision; including another contact moved within the same millisecond is harmless.
  await db.$executeRaw`
    INSERT INTO "TouchedContact" ("projectId", "contactId", "seq")
    SELECT ${projectId}::uuid, m."contactId", nextval('"TouchSeq"') FROM "SegmentMembership" m
    WHERE m."projectId" = ${projectId}::uuid AND m."segmentId" = ${id}::uuid
      AND (m."enteredAt" = now()::timestamptz(3) OR m."exitedAt" = now()::timestamptz(3))
    ORDER BY m."contactId"
    ON CONFLICT ("projectId", "contactId") DO UPDATE SET "seq" = EXCLUDED."seq"`;
}

/** Has these segments computed whole. */
export async function markStale(db: Db, projectId: string, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    WITH "locked" AS (
      SELECT "id" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${ids}::uuid[])
      ORDER BY "id" FOR NO KEY UPDATE)
    UPDATE "Segment" s SET "stale" = true, "wakeSeq" = s."wakeSeq" + 1 FROM "locked" l WHERE s."id" = l."id"`;
}

/**
 * Schedules the tracked segments of a project for these contacts, to run within seconds. For changes outside the
 * contact's own row, such as an event.
 */
export async function touchContacts(
  db: SqlDb,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  if (contactIds.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "TouchedContact" ("projectId", "contactId", "seq")
    SELECT ${projectId}::uuid, t."id", nextval('"TouchSeq"')
    FROM (SELECT DISTINCT unnest(${contactIds}::uuid[]) AS "id" ORDER BY 1) t
    WHERE EXISTS (SELECT FROM "Segment" s
      WHERE s."projectId" = ${projectId}::uuid AND s."trackMembership" AND s."type" = 'DYNAMIC')
    ON CONFLICT ("projectId", "contactId") DO UPDATE SET "seq" = EXCLUDED."seq"`;
}

export interface Touched {
  contactId: string;
  seq: bigint;
}

export const readTouched = (db: Db, projectId: string): Promise<Touched[]> => db.$queryRaw`
  SELECT "contactId", "seq" FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid
  ORDER BY "seq" LIMIT ${touchedPerBatch}`;

/** Tracked DYNAMIC segments that are neither stale nor failed (those are computed whole), locked in the common lock order. */
export async function lockTracked(db: Db, projectId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Segment"
    WHERE "projectId" = ${projectId}::uuid AND "trackMembership" AND "type" = 'DYNAMIC' AND NOT "stale"
      AND "failedReason" IS NULL
    ORDER BY "id" FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}

/**
 * Removes the rows that have been evaluated. A contact touched again since then has a new seq and stays. Rows locked
 * by a concurrent writer are skipped; they stay and are evaluated once more.
 */
export const dropTouched = (db: Db, projectId: string, touched: readonly Touched[]): Promise<number> =>
  db.$executeRaw`
    DELETE FROM "TouchedContact" t USING (
      SELECT t."contactId", t."seq" FROM "TouchedContact" t
      JOIN unnest(${touched.map(({ contactId }) => contactId)}::uuid[], ${touched.map(({ seq }) => String(seq))}::bigint[])
        AS done("contactId", "seq") ON done."contactId" = t."contactId" AND done."seq" = t."seq"
      WHERE t."projectId" = ${projectId}::uuid
      FOR UPDATE OF t SKIP LOCKED
    ) d WHERE t."projectId" = ${projectId}::uuid AND t."contactId" = d."contactId" AND t."seq" = d."seq"`;

export const findStale = (db: Db, projectId: string): Promise<{ id: string }[]> =>
  db.segment.findMany({
    where: { projectId, type: 'DYNAMIC', trackMembership: true, stale: true },
    select: { id: true },
    orderBy: { id: 'asc' },
  });

/** Applies the count changes of one pass; a full computation recounts. */
export const addToCount = (db: Db, id: string, { added, removed }: MembershipChange): Promise<unknown> =>
  db.$executeRaw`UPDATE "Segment" SET "memberCount" = greatest(0, "memberCount" + ${added - removed}) WHERE "id" = ${id}::uuid`;
