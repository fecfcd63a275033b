import { type ContactReference, idOfContact } from '../../audience/contacts/index.ts';
import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import { type FeedType, storedInFeed } from '../../base/event-types/event-types.rules.ts';
import type { Keyset } from '../../base/kernel/index.ts';

export interface FeedRow {
  id: string;
  kind: 'CUSTOM' | 'SYSTEM' | 'ACTIVITY';
  name: string;
  data: Record<string, unknown> | null;
  createdAt: Date;
  contactId: string | null;
  contactEmail: string | null;
  /** of an email; null when the event is not about one */
  email: EmailOfRow | null;
}

export interface EmailOfRow {
  id: string;
  subject: string;
  /** the subject before anything was filled in, which all emails of one content have */
  text: string;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  toName: string | null;
  sourceType: string;
  error: string | null;
  diagnosis: Record<string, unknown> | null;
  opens: number;
  clicks: number;
  campaignId: string | null;
  campaignName: string | null;
  workflowId: string | null;
  workflowName: string | null;
}

export interface FeedSearch {
  projectId: string;
  types?: readonly FeedType[] | undefined;
  contactId?: ContactReference | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The events of customers and segments, in the words of the index `Event_triggered`. */
const triggered = Prisma.sql`(e."kind" = 'CUSTOM' OR e."name" LIKE 'segment.%')`;

/** An email has one item of each type: only its first open, click or failure is shown. */
const isFirst = Prisma.sql`NOT EXISTS (
  SELECT FROM "Event" d
  WHERE d."projectId" = e."projectId" AND d."contactId" = e."contactId" AND d."name" = e."name" AND d."emailId" = e."emailId"
    AND (d."createdAt", d."id") < (e."createdAt", e."id"))`;

const storedByType = new Map(storedInFeed.map((entry) => [entry.type, entry]));
const repeating = storedInFeed.flatMap(({ name, repeats }) => (repeats ? name : []));
const flagged = storedInFeed.flatMap(({ name, first }) => (first === undefined ? [] : { name, first }));

/** The names of events that are only partly shown. */
const doubtfulNames = [...flagged.map(({ name }) => name), ...repeating];

/** Which events are items of the feed, whatever their type. */
const isItem = Prisma.sql`CASE
  ${Prisma.join(
    flagged.map(
      ({ name, first }) =>
        Prisma.sql`WHEN e."name" = ${name} AND e."kind" = 'SYSTEM' THEN (e."data" ->> ${first})::boolean`,
    ),
    ' ',
  )}
  WHEN e."name" IN (${Prisma.join(repeating)}) AND e."kind" <> 'CUSTOM' THEN ${isFirst}
  ELSE true END`;

/** Each type reads its own part of an index, so that a rare type does not scan the history of a project for its items. */
function conditionsOf(types: readonly FeedType[] | undefined): Prisma.Sql[] {
  if (!types) return [isItem];
  return types.flatMap((type) => {
    if (type === 'event.triggered') return triggered;
    const stored = storedByType.get(type);
    if (!stored) return [];
    return Prisma.sql`e."name" = ${stored.name} AND e."kind" = ${stored.kind}::"EventKind" AND ${isItem}`;
  });
}

const within = ({
  projectId,
  from,
  to,
}: FeedSearch): Prisma.Sql => Prisma.sql`e."projectId" = ${projectId}::uuid
  ${from ? Prisma.sql`AND e."createdAt" >= ${from}` : Prisma.empty} ${to ? Prisma.sql`AND e."createdAt" <= ${to}` : Prisma.empty}`;

interface FeedPage {
  after: Keyset | null;
  take: number;
}

/** One keyset page of the events in `source`, with the alias e. */
function pageOfFeed(source: Prisma.Sql, search: FeedSearch, { after, take }: FeedPage): Prisma.Sql {
  const older = after
    ? Prisma.sql`AND (e."createdAt", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  const parts = conditionsOf(search.types).map(
    (condition) => Prisma.sql`
      (SELECT e.* FROM ${source} WHERE ${within(search)} AND ${condition} ${older}
      ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${take}::int)`,
  );
  if (parts.length === 0) return Prisma.sql`SELECT e.* FROM "Event" e WHERE false`;
  return Prisma.sql`SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) e
    ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${take}::int`;
}

/** A contact has few events: they are read first and then sorted. */
const eventsOf = (projectId: string, contactId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT * FROM "Event" WHERE ${ofProject('"projectId"', projectId)} AND "contactId" = ${contactId} OFFSET 0) e`;

/** One keyset page, newest first. */
export const findFeed = (db: Db, search: FeedSearch, page: FeedPage): Promise<FeedRow[]> => {
  const { projectId, contactId } = search;
  const source =
    contactId === undefined ? Prisma.sql`"Event" e` : eventsOf(projectId, idOfContact(projectId, contactId));
  return readFeed(db, pageOfFeed(source, search, page));
};

/** One keyset page of what happened to any of these contacts, and of custom events with any of these names, newest first. */
export const findFeedOf = (
  db: Db,
  {
    contactIds,
    eventNames,
    ...search
  }: FeedSearch & { contactIds: readonly string[]; eventNames: readonly string[] },
  page: FeedPage,
): Promise<FeedRow[]> => {
  const { projectId, contactId, types } = search;
  const ofContact = contactId
    ? Prisma.sql`AND "contactId" = ${idOfContact(projectId, contactId)}`
    : Prisma.empty;
  const theirs = Prisma.sql`
    SELECT e.* FROM unnest(${[...contactIds]}::uuid[]) AS p("id")
      CROSS JOIN LATERAL (${pageOfFeed(eventsOf(projectId, Prisma.sql`p."id"`), search, page)}) e WHERE true ${ofContact}`;
  const named =
    !types || types.includes('event.triggered')
      ? eventNames.map(
          (name) =>
            Prisma.sql`SELECT e.* FROM (${pageOfFeed(
              Prisma.sql`(SELECT * FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "kind" = 'CUSTOM' AND "name" = ${name} ${ofContact}) e`,
              { ...search, types: undefined },
              page,
            )}) e`,
        )
      : [];
  // An event with such a name of such a contact is found twice.
  return readFeed(
    db,
    Prisma.sql`SELECT * FROM (SELECT DISTINCT ON ("createdAt", "id") * FROM (${Prisma.join([theirs, ...named], ' UNION ALL ')}) e
      ORDER BY "createdAt" DESC, "id" DESC) e LIMIT ${page.take}::int`,
  );
};

/** One keyset page of the timeline of each contact, newest first. */
export const findTimelines = (
  db: Db,
  { contactIds, ...search }: Omit<FeedSearch, 'contactId'> & { contactIds: readonly string[] },
  page: FeedPage,
): Promise<FeedRow[]> =>
  readFeed(
    db,
    Prisma.sql`SELECT e.* FROM unnest(${contactIds}::uuid[]) AS p("id")
      CROSS JOIN LATERAL (${pageOfFeed(eventsOf(search.projectId, Prisma.sql`p."id"`), search, page)}) e`,
  );

/** The events of `page` with what their items show. */
const readFeed = (db: Db, page: Prisma.Sql): Promise<FeedRow[]> => db.$queryRaw<FeedRow[]>`
    WITH page AS MATERIALIZED (${page})
    SELECT e."id", e."kind"::text AS "kind", e."name", e."data", e."createdAt", e."contactId", c."email" AS "contactEmail",
      m."email"
    FROM page e
    LEFT JOIN "Contact" c ON c."projectId" = e."projectId" AND c."id" = e."contactId"
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('id', m."id", 'subject', coalesce(e."data" ->> 'subject', m."subject", t."subject"), 'text', t."subject", 'from', t."from",
        'fromName', t."fromName", 'replyTo', t."replyTo", 'toName', m."toName", 'sourceType', m."sourceType", 'error', m."error",
        'diagnosis', m."diagnosis", 'opens', m."opens", 'clicks', m."clicks", 'campaignId', m."campaignId", 'campaignName', k."name", 'workflowId', w."id",
        'workflowName', w."name") AS "email"
      FROM "Email" m
      JOIN "Content" t ON t."id" = m."contentId"
      LEFT JOIN "Campaign" k ON k."id" = m."campaignId"
      LEFT JOIN "WorkflowExecution" x ON x."id" = m."workflowExecutionId"
      LEFT JOIN "Workflow" w ON w."id" = x."workflowId"
      WHERE m."id" = e."emailId" AND m."projectId" = e."projectId"
    ) m ON true
    ORDER BY e."createdAt" DESC, e."id" DESC`;

/** Counts all events from an index and subtracts those that are not items. Only events with a few names have to be read for that. */
export async function countFeed(db: Db, search: FeedSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*) FROM "Event" e WHERE ${within(search)})::int
      - (SELECT count(*) FROM "Event" e WHERE ${within(search)} AND e."name" IN (${Prisma.join(doubtfulNames)})
        AND (${isItem}) IS NOT TRUE)::int AS "count"`;
  return row?.count ?? 0;
}
