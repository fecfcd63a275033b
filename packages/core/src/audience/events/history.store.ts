import type { Pool } from 'pg';
import { clientTransaction, containsOneOf, type Db, Prisma, plainDb, prepared } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWithName } from '../../base/event-types/index.ts';
import { figuresOf, type WantedFigures } from '../../base/figures/index.ts';
import { beginKey, type KeyUse } from '../../base/idempotency/index.ts';
import { AppError, type Keyset } from '../../base/kernel/index.ts';
import { type ContactReference, contactSample, findContactId } from '../contacts/index.ts';

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
    ${insertEvents}
    ${eventRow({
      ...storedWithName('CUSTOM', Prisma.sql`${name}::text`),
      id: Prisma.sql`${id}::uuid`,
      projectId: Prisma.sql`${projectId}::uuid`,
      data: Prisma.sql`${data}::jsonb`,
      contactId: Prisma.sql`${contactId}::uuid`,
    })}
    WHERE ${contactId}::uuid IS NULL OR EXISTS (SELECT FROM "contact")
    RETURNING "createdAt"`,
);

/** Stores an event without changing a contact. @throws AppError CONTACT_NOT_FOUND when the contact is not in the project */
export async function storeNamed(db: Pick<Pool, 'query'>, event: NamedEvent): Promise<Date> {
  const data = event.data === null ? null : JSON.stringify(event.data);
  const { rows } = await db.query<{ createdAt: Date }>(insertNamed({ ...event, data }));
  const [row] = rows;
  if (!row) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return row.createdAt;
}

/** The same together with an idempotency key. @returns null when that was used before */
export const storeNamedOnce = (pool: Pool, event: NamedEvent, use: KeyUse): Promise<Date | null> =>
  clientTransaction(pool, async (client) => {
    const made = { eventId: Prisma.sql`${event.id}::uuid` };
    const isFree = await beginKey(plainDb(client), event.projectId, use, made);
    return isFree ? storeNamed(client, event) : null;
  });

export const eventColumns = Prisma.sql`e."id", e."name", e."data", e."projectId", e."contactId", e."emailId", e."createdAt"`;
const ofProject = (projectId: string) =>
  Prisma.sql`e."projectId" = ${projectId}::uuid AND e."kind" <> 'ACTIVITY'`;

/** Events by their ids. */
export const findEvents = (db: Db, projectId: string, ids: readonly string[]): Promise<EventRow[]> =>
  db.$queryRaw<EventRow[]>`
    SELECT ${eventColumns} FROM "Event" e WHERE ${ofProject(projectId)} AND e."id" = ANY(${ids}::uuid[])`;

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
  reference: ContactReference,
  limit: number,
): Promise<EventRow[] | null> {
  const contactId = await findContactId(db, projectId, reference);
  if (contactId === null) return null;
  return db.$queryRaw<EventRow[]>`
    SELECT ${eventColumns} FROM "Event" e WHERE (${ofProject(projectId)}) IS TRUE AND e."contactId" = ${contactId}::uuid
    ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${limit}::int`;
}

const prefix = 'events';

/** Above 1,000,000 events, how many contacts have an event may be five minutes old (behaviour B4.5). */
const figure = figuresOf({
  prefix,
  largeAbove: 1_000_000,
  maxAgeSeconds: 300,
  async hasMoreThan(db, projectId, rows) {
    const [row] = await db.$queryRaw<{ large: boolean }[]>`
      SELECT coalesce(sum(c."count"), 0) > ${rows}::int AS "large" FROM "EventCount" c WHERE c."projectId" = ${projectId}::uuid`;
    return row?.large ?? false;
  },
});

/** Names of events that contain a text, in any case, the most frequent first. */
export async function findEventNames(
  db: Db,
  projectId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT "name" FROM "EventCount" WHERE "projectId" = ${projectId}::uuid AND ${containsOneOf(Prisma.sql`lower("name")`, [text.toLowerCase()])}
    GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${limit}::int`;
  return rows.map(({ name }) => name);
}

export interface NameCount {
  name: string;
  count: number;
}

/**
 * How often each name occurred between two instants, both included; the most frequent first, then by name. Whole days (UTC) come from
 * their counts, and the parts of days at the edges from the events themselves.
 */
export function countNames(
  db: Db,
  projectId: string,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<NameCount[]> {
  // Every event of a counted name is counted, so its kind need not be read from the table.
  const ofEdge = (after: Prisma.Sql, before: Prisma.Sql) => Prisma.sql`(
    SELECT count(*) FROM "Event" e WHERE e."projectId" = ${projectId}::uuid AND e."name" = n."name" AND e."createdAt" >= ${after} AND e."createdAt" < ${before})`;
  return db.$queryRaw<NameCount[]>`
    WITH "asked" AS (
      SELECT coalesce(${from ?? null}::timestamptz, '-infinity') AS "first",
        coalesce(${to ?? null}::timestamptz + interval '1 millisecond', 'infinity') AS "end"
    ), "period" AS (
      SELECT "first", "end", date_trunc('day', "first" + interval '1 day' - interval '1 millisecond', 'UTC') AS "firstDay",
        date_trunc('day', "end", 'UTC') AS "endDay" FROM "asked"
    ), "counted" AS (
      SELECT c."name", coalesce(sum(c."count") FILTER (
          WHERE c."day" >= (p."firstDay" AT TIME ZONE 'UTC')::date AND c."day" < (p."endDay" AT TIME ZONE 'UTC')::date), 0) AS "days"
      FROM "EventCount" c CROSS JOIN "period" p
      WHERE c."projectId" = ${projectId}::uuid AND c."day" >= (p."first" AT TIME ZONE 'UTC')::date AND c."day" <= (p."end" AT TIME ZONE 'UTC')::date
      GROUP BY c."name"
    ), "summed" AS (
      SELECT n."name", (n."days"
        + CASE WHEN p."firstDay" > p."endDay" THEN ${ofEdge(Prisma.sql`p."first"`, Prisma.sql`p."end"`)}
          ELSE CASE WHEN p."first" < p."firstDay" THEN ${ofEdge(Prisma.sql`p."first"`, Prisma.sql`p."firstDay"`)} ELSE 0 END
            + CASE WHEN p."endDay" < p."end" THEN ${ofEdge(Prisma.sql`p."endDay"`, Prisma.sql`p."end"`)} ELSE 0 END END)::int AS "count"
      FROM "counted" n CROSS JOIN "period" p
    )
    SELECT "name", "count" FROM "summed" WHERE "count" > 0 ORDER BY "count" DESC, "name" COLLATE "C"`;
}

export type NameFigures = {
  name: string;
  count: number;
  /** ISO 8601 */
  lastSeenAt: string;
};

/**
 * Number of occurrences and time of the last one for each name; the most frequent first, then by name. Of a name whose events have all expired the
 * last day is known.
 */
export async function readNameFigures(db: Db, projectId: string, limit: number): Promise<NameFigures[]> {
  const rows = await db.$queryRaw<(NameCount & { lastSeenAt: Date })[]>`
    SELECT n."name", n."count", coalesce(l."createdAt", n."lastDay"::timestamp AT TIME ZONE 'UTC') AS "lastSeenAt" FROM (
      SELECT c."name", sum(c."count")::int AS "count", max(c."day") AS "lastDay" FROM "EventCount" c WHERE c."projectId" = ${projectId}::uuid
      GROUP BY c."name" HAVING sum(c."count") > 0 ORDER BY sum(c."count") DESC, c."name" COLLATE "C" LIMIT ${limit}::int
    ) n LEFT JOIN LATERAL (
      SELECT e."createdAt" FROM "Event" e WHERE ${ofProject(projectId)} AND e."name" = n."name" ORDER BY e."createdAt" DESC LIMIT 1
    ) l ON true ORDER BY n."count" DESC, n."name" COLLATE "C"`;
  return rows.map(({ lastSeenAt, ...row }) => ({ ...row, lastSeenAt: lastSeenAt.toISOString() }));
}

/** The counts of a name, or of all. */
const counted = (projectId: string, eventName: string | undefined): Prisma.Sql =>
  Prisma.sql`c."projectId" = ${projectId}::uuid ${eventName === undefined ? Prisma.empty : Prisma.sql`AND c."name" = ${eventName}`}`;

export async function countEvents(db: Db, projectId: string, search: EventSearch): Promise<number> {
  const [row] =
    search.contactId === undefined
      ? await db.$queryRaw<{ count: number }[]>`
          SELECT coalesce(sum(c."count"), 0)::int AS "count" FROM "EventCount" c WHERE ${counted(projectId, search.eventName)}`
      : await db.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS "count" FROM "Event" e WHERE ${found(projectId, search)}`;
  return row?.count ?? 0;
}

/** @returns the number of events per UTC day from the day of `from` on; days without events are left out */
export const countByDay = (
  db: Db,
  projectId: string,
  { eventName, from }: { eventName?: string | undefined; from: Date },
): Promise<{ day: string; count: number }[]> =>
  db.$queryRaw`
    SELECT c."day"::text AS "day", sum(c."count")::int AS "count" FROM "EventCount" c
    WHERE ${counted(projectId, eventName)} AND c."day" >= (${from}::timestamptz AT TIME ZONE 'UTC')::date
    GROUP BY c."day" HAVING sum(c."count") > 0`;

interface Occurrences {
  totalCount: number;
  uniqueContacts: number;
}

/** The contacts of an event with at most this many occurrences are counted immediately. */
const countedAtOnce = 20_000;

/** In a large project, the contacts of a frequent event are estimated at first, from a sample. */
export const countOccurrences = (db: Db, projectId: string, name: string): Promise<Occurrences> =>
  figure(
    db,
    projectId,
    `usage.${name}`,
    () => occurrencesOf(db, projectId, name),
    async () => {
      const [total] = await db.$queryRaw<{ events: number }[]>`
        SELECT coalesce(sum(c."count"), 0)::int AS "events" FROM "EventCount" c WHERE ${counted(projectId, name)}`;
      const totalCount = total?.events ?? 0;
      if (totalCount <= countedAtOnce) return occurrencesOf(db, projectId, name);
      return { totalCount, uniqueContacts: await estimateContacts(db, projectId, name) };
    },
  );

type StoredOccurrences = Occurrences & Prisma.InputJsonObject;

async function occurrencesOf(db: Db, projectId: string, name: string): Promise<StoredOccurrences> {
  const [row] = await db.$queryRaw<StoredOccurrences[]>`
    SELECT count(*)::int AS "totalCount", count(DISTINCT e."contactId")::int AS "uniqueContacts"
    FROM "Event" e WHERE ${ofProject(projectId)} AND e."name" = ${name}`;
  return row ?? { totalCount: 0, uniqueContacts: 0 };
}

/** The contacts with an event, from their part of a sample. */
async function estimateContacts(db: Db, projectId: string, name: string): Promise<number> {
  const [row] = await db.$queryRaw<{ contacts: number }[]>`
    WITH "sample" AS MATERIALIZED (${contactSample(projectId)}), "having" AS (
      SELECT count(*) AS "all", count(*) FILTER (WHERE EXISTS (
        SELECT FROM "Event" e WHERE (${ofProject(projectId)}) IS TRUE AND e."contactId" = c."id" AND e."name" = ${name})) AS "some" FROM "sample" c
    )
    SELECT coalesce(round(h."some"::numeric / nullif(h."all", 0) * (
      SELECT sum(n."created" - n."removed") FROM "ContactCount" n WHERE n."projectId" = ${projectId}::uuid)), 0)::int AS "contacts"
    FROM "having" h`;
  return row?.contacts ?? 0;
}

/** Computes what was estimated. */
export const wantedEventFigures: WantedFigures = {
  prefix,
  compute: (db, projectId, key) => occurrencesOf(db, projectId, key.slice('usage.'.length)),
};

/** Counts of days with events that may have expired, in days. */
const mayHaveExpired = 400;

/** Removes all events with a name, their queued dispatches, the counts of those that have expired, and the cached figures about events. */
export async function removeEvents(db: Db, projectId: string, name: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH "gone" AS (
      DELETE FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "name" = ${name} AND "kind" = 'CUSTOM'
      RETURNING "id"
    ), "undispatched" AS (
      DELETE FROM "EventDispatch" d USING "gone" g WHERE d."eventId" = g."id"
    )
    SELECT count(*)::int AS "count" FROM "gone"`;
  // A count that another transaction changes belongs to events that it stores for that day now.
  await db.$executeRaw`
    DELETE FROM "EventCount" WHERE "id" IN (
      SELECT c."id" FROM "EventCount" c
      WHERE ${counted(projectId, name)} AND c."day" < (now() AT TIME ZONE 'UTC')::date - ${mayHaveExpired}::int
        AND NOT EXISTS (SELECT FROM "Event" e WHERE e."projectId" = c."projectId" AND e."name" = c."name"
          AND e."createdAt" >= c."day"::timestamp AT TIME ZONE 'UTC' AND e."createdAt" < (c."day" + 1)::timestamp AT TIME ZONE 'UTC')
      FOR UPDATE SKIP LOCKED)`;
  await db.cachedFigure.deleteMany({ where: { projectId, key: { startsWith: 'events.' } } });
  return row?.count ?? 0;
}
