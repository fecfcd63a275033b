import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { type EventRow, eventColumns } from './history.store.ts';

/** What an event belongs to, as its column. */
export type EventParent = 'contactId' | 'emailId';

interface EventsOfEach {
  projectId: string;
  parent: EventParent;
  ids: readonly string[];
  eventName?: string | undefined;
}

/** The parents as `p`. Events of an email are found by the index for those of its contact. */
const parents = ({ projectId, parent, ids }: EventsOfEach): Prisma.Sql =>
  parent === 'contactId'
    ? Prisma.sql`(SELECT c."id", c."id" AS "contactId" FROM unnest(${ids}::uuid[]) AS c("id")) p`
    : Prisma.sql`(SELECT m."id", m."contactId" FROM "Email" m WHERE m."projectId" = ${projectId}::uuid AND m."id" = ANY(${ids}::uuid[])) p`;

const belongsTo = ({ projectId, parent, eventName }: EventsOfEach): Prisma.Sql => {
  const ofEmail = parent === 'emailId' ? Prisma.sql`AND e."emailId" = p."id"` : Prisma.empty;
  const named = eventName === undefined ? Prisma.empty : Prisma.sql`AND e."name" = ${eventName}`;
  return Prisma.sql`${ofProject('e."projectId"', projectId)} AND e."kind" <> 'ACTIVITY' AND e."contactId" = p."contactId" ${ofEmail} ${named}`;
};

/** One keyset page of the events of each parent, newest first. */
export function eventsOfEach(
  db: Db,
  search: EventsOfEach,
  { after, take }: { after: Keyset | null; take: number },
): Promise<EventRow[]> {
  const older = after
    ? Prisma.sql`AND (e."createdAt", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<EventRow[]>`
    SELECT e.* FROM ${parents(search)} CROSS JOIN LATERAL (
      SELECT ${eventColumns} FROM "Event" e WHERE ${belongsTo(search)} ${older}
      ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${take}::int
    ) e ORDER BY e."createdAt" DESC, e."id" DESC`;
}

export const countEventsOfEach = (
  db: Db,
  search: EventsOfEach,
): Promise<{ id: string; count: number }[]> => db.$queryRaw`
  SELECT p."id"::text AS "id", e."count" FROM ${parents(search)} CROSS JOIN LATERAL (
    SELECT count(*)::int AS "count" FROM "Event" e WHERE ${belongsTo(search)}
  ) e`;
