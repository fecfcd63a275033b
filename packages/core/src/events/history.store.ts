import type { Pool } from 'pg';
import { type Db, Prisma, prepared } from '../db/index.ts';
import { figuresOf } from '../figures/index.ts';
import type { Keyset } from '../kernel/index.ts';

/** Reads of stored events, without the rows of the activity feed. */

export interface EventRow {
  id: string;
  name: string;
  data: Record<string, unknown> | null;
  projectId: string;
  contactId: string | null;
  emailId: string | null;
  createdAt: Date;
}

export interface NamedEvent {
  id: string;
  projectId: string;
  name: string;
  contactId: string | null;
  data: Record<string, unknown> | null;
}

type NamedValues = Omit<NamedEvent, 'data'> & { data: string | null };

const insertNamed = prepared<NamedValues>(
  'record-event',
  ({ id, projectId, name, contactId, data }) => Prisma.sql`
    WITH "contact" AS (
      SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ${contactId}::uuid FOR KEY SHARE
    )
    INSERT INTO "Event" ("id", "projectId", "kind", "name", "contactId", "data")
    SELECT ${id}::uuid, ${projectId}::uuid, 'CUSTOM', ${name}, ${contactId}::uuid, ${data}::jsonb
    WHERE ${contactId}::uuid IS NULL OR EXISTS (SELECT FROM "contact")
    RETURNING "createdAt"`,
);

/** Stores an event without changing a contact. @returns its creation time; null when the contact is not in the project */
export async function storeNamed(pool: Pool, event: NamedEvent): Promise<Date | null> {
  const data = event.data === null ? null : JSON.stringify(event.data);
  const { rows } = await pool.query<{ createdAt: Date }>(insertNamed({ ...event, data }));
  return rows[0]?.createdAt ?? null;
}

export const eventColumns = Prisma.sql`e."id", e."name", e."data", e."projectId", e."contactId", e."emailId", e."createdAt"`;
const ofProject = (projectId: string) =>
  Prisma.sql`e."projectId" = ${projectId}::uuid AND e."kind" <> 'ACTIVITY'`;

export interface EventWithContact extends EventRow {
  contact: { id: string; email: string } | null;
}

export async function recentEvents(
  db: Db,
  projectId: string,
  { eventName, limit }: { eventName?: string | undefined; limit: number },
): Promise<EventWithContact[]> {
  const named = eventName === undefined ? Prisma.empty : Prisma.sql`AND e."name" = ${eventName}`;
  return newestEvents(db, Prisma.sql`${ofProject(projectId)} ${named}`, limit);
}

async function newestEvents(db: Db, where: Prisma.Sql, limit: number): Promise<EventWithContact[]> {
  const rows = await db.$queryRaw<(EventRow & { email: string | null })[]>`
    SELECT ${eventColumns}, c."email" FROM "Event" e
    LEFT JOIN "Contact" c ON c."projectId" = e."projectId" AND c."id" = e."contactId"
    WHERE ${where} ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${limit}::int`;
  return rows.map(({ email, ...row }) => ({
    ...row,
    contact: row.contactId === null || email === null ? null : { id: row.contactId, email },
  }));
}

export interface EventSearch {
  eventName?: string | undefined;
  contactId?: string | undefined;
}

const found = (projectId: string, { eventName, contactId }: EventSearch): Prisma.Sql => {
  const named = eventName === undefined ? Prisma.empty : Prisma.sql`AND e."name" = ${eventName}`;
  const of = contactId === undefined ? Prisma.empty : Prisma.sql`AND e."contactId" = ${contactId}::uuid`;
  return Prisma.sql`${ofProject(projectId)} ${named} ${of}`;
};

/** One page of events, newest first, plus one row when there are more. */
export function pageOfEvents(
  db: Db,
  projectId: string,
  search: EventSearch,
  { after, take }: { after: Keyset | null; take: number },
): Promise<EventWithContact[]> {
  const older = after
    ? Prisma.sql`AND (e."createdAt", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return newestEvents(db, Prisma.sql`${found(projectId, search)} ${older}`, take);
}

/** @returns the id of the contact with exactly this address */
export async function contactOfAddress(db: Db, projectId: string, email: string): Promise<string | null> {
  const contact = await db.contact.findFirst({ where: { projectId, email }, select: { id: true } });
  return contact?.id ?? null;
}

/** @returns null when the contact is not in the project */
export async function eventsOfContact(
  db: Db,
  projectId: string,
  contactId: string,
  limit: number,
): Promise<EventRow[] | null> {
  const contact = await db.contact.findFirst({ where: { id: contactId, projectId }, select: { id: true } });
  if (!contact) return null;
  return db.$queryRaw<EventRow[]>`
    SELECT ${eventColumns} FROM "Event" e WHERE ${ofProject(projectId)} AND e."contactId" = ${contactId}::uuid
    ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${limit}::int`;
}

/** Above 1,000,000 events, figures about names may be five minutes old (behaviour B4.5). */
const figure = figuresOf({
  prefix: 'events',
  largeAbove: 1_000_000,
  maxAgeSeconds: 300,
  async hasMoreThan(db, projectId, rows) {
    const [row] = await db.$queryRaw<{ large: boolean }[]>`
      SELECT count(*) > ${rows}::int AS "large" FROM (
        SELECT FROM "Event" WHERE "projectId" = ${projectId}::uuid LIMIT ${rows + 1}::int) AS e`;
    return row?.large ?? false;
  },
});

export interface NameCount {
  name: string;
  count: number;
}

/**
 * How often each name occurred between two instants, both included; the most frequent first, then by name.
 *
 * @param key cache key of the period; a rolling period has a fixed key
 */
export const countNames = (
  db: Db,
  projectId: string,
  { from, to, key }: { from?: Date | undefined; to?: Date | undefined; key: string },
): Promise<NameCount[]> =>
  figure(db, projectId, `names.${key}`, async () => {
    const since = from ? Prisma.sql`AND e."createdAt" >= ${from}` : Prisma.empty;
    const until = to ? Prisma.sql`AND e."createdAt" <= ${to}` : Prisma.empty;
    const rows = await db.$queryRaw<NameCount[]>`
      SELECT e."name", count(*)::int AS "count" FROM "Event" e
      WHERE ${ofProject(projectId)} ${since} ${until} GROUP BY e."name"
      ORDER BY count(*) DESC, e."name" COLLATE "C"`;
    return rows as (NameCount & Prisma.InputJsonObject)[];
  });

export type NameFigures = {
  name: string;
  count: number;
  /** ISO 8601 */
  lastSeenAt: string;
};

/** Number of occurrences and time of the last one for each name; the most frequent first, then by name. */
export const readNameFigures = (db: Db, projectId: string, limit: number): Promise<NameFigures[]> =>
  figure(db, projectId, 'figures', async () => {
    const rows = await db.$queryRaw<(NameCount & { lastSeenAt: Date })[]>`
      SELECT e."name", count(*)::int AS "count", max(e."createdAt") AS "lastSeenAt" FROM "Event" e
      WHERE ${ofProject(projectId)} GROUP BY e."name"
      ORDER BY count(*) DESC, e."name" COLLATE "C" LIMIT ${limit}::int`;
    return rows.map(({ lastSeenAt, ...row }) => ({ ...row, lastSeenAt: lastSeenAt.toISOString() }));
  });

export const countEvents = (db: Db, projectId: string, search: EventSearch): Promise<number> => {
  const count = async () => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM "Event" e WHERE ${found(projectId, search)}`;
    return row?.count ?? 0;
  };
  // One contact has few events, whatever the size of the project.
  if (search.contactId !== undefined) return count();
  return figure(db, projectId, search.eventName === undefined ? 'total' : `total.${search.eventName}`, count);
};

/** @returns the number of events per UTC day since `from`; days without events are left out */
export const countByDay = (
  db: Db,
  projectId: string,
  { eventName, from }: { eventName?: string | undefined; from: Date },
): Promise<{ day: string; count: number }[]> => {
  const firstDay = from.toISOString().slice(0, 10);
  const key = eventName === undefined ? `daily.${firstDay}` : `daily.${firstDay}.${eventName}`;
  return figure(db, projectId, key, async () => {
    const rows = await db.$queryRaw<{ day: string; count: number }[]>`
      SELECT (e."createdAt" AT TIME ZONE 'UTC')::date::text AS "day", count(*)::int AS "count"
      FROM "Event" e WHERE ${found(projectId, { eventName })} AND e."createdAt" >= ${from} GROUP BY 1`;
    return rows as ((typeof rows)[number] & Prisma.InputJsonObject)[];
  });
};

export const countOccurrences = (
  db: Db,
  projectId: string,
  name: string,
): Promise<{ totalCount: number; uniqueContacts: number }> =>
  figure(db, projectId, `usage.${name}`, async () => {
    const [row] = await db.$queryRaw<{ totalCount: number; uniqueContacts: number }[]>`
      SELECT count(*)::int AS "totalCount", count(DISTINCT e."contactId")::int AS "uniqueContacts"
      FROM "Event" e WHERE ${ofProject(projectId)} AND e."name" = ${name}`;
    return row ?? { totalCount: 0, uniqueContacts: 0 };
  });

/** Removes all events with a name, their queued dispatches, and the cached figures about events. */
export async function removeEvents(db: Db, projectId: string, name: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH "gone" AS (
      DELETE FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "name" = ${name} AND "kind" = 'CUSTOM'
      RETURNING "id"
    ), "undispatched" AS (
      DELETE FROM "EventDispatch" d USING "gone" g WHERE d."eventId" = g."id"
    )
    SELECT count(*)::int AS "count" FROM "gone"`;
  await db.cachedFigure.deleteMany({ where: { projectId, key: { startsWith: 'events.' } } });
  return row?.count ?? 0;
}
