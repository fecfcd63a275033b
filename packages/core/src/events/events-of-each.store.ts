import { type Db, Prisma } from '../db/index.ts';
import type { Keyset } from '../kernel/index.ts';
import { type EventRow, eventColumns } from './history.store.ts';

interface EventsOfEach {
  projectId: string;
  contactIds: readonly string[];
  eventName?: string | undefined;
}

const belongsTo = ({ projectId, eventName }: EventsOfEach): Prisma.Sql => {
  const named = eventName === undefined ? Prisma.empty : Prisma.sql`AND e."name" = ${eventName}`;
  return Prisma.sql`e."projectId" = ${projectId}::uuid AND e."kind" <> 'ACTIVITY' AND e."contactId" = p."id" ${named}`;
};

/** One keyset page of the events of each contact, newest first. */
export function eventsOfEach(
  db: Db,
  search: EventsOfEach,
  { after, take }: { after: Keyset | null; take: number },
): Promise<EventRow[]> {
  const older = after
    ? Prisma.sql`AND (e."createdAt", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<EventRow[]>`
    SELECT e.* FROM unnest(${search.contactIds}::uuid[]) AS p("id") CROSS JOIN LATERAL (
      SELECT ${eventColumns} FROM "Event" e WHERE ${belongsTo(search)} ${older}
      ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${take}::int
    ) e ORDER BY e."createdAt" DESC, e."id" DESC`;
}

export const countEventsOfEach = (
  db: Db,
  search: EventsOfEach,
): Promise<{ id: string; count: number }[]> => db.$queryRaw`
  SELECT p."id"::text AS "id", e."count" FROM unnest(${search.contactIds}::uuid[]) AS p("id") CROSS JOIN LATERAL (
    SELECT count(*)::int AS "count" FROM "Event" e WHERE ${belongsTo(search)}
  ) e`;
