import { choicesOf, receives, topicSql } from '../../audience/topics/index.ts';
import type { Texts } from '../../audience/topics/topics.rules.ts';
import { constant, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../base/event-types/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { isSuppressed } from '../eligibility/index.ts';
import { confirmableMs, declinedDays, guardRule } from './forms.rules.ts';

export type RequestStatus = 'PENDING' | 'CONFIRMED' | 'DECLINED' | 'EXPIRED';

/** What is known of an address when somebody asks to subscribe it. */
export interface Asked {
  contact: {
    id: string;
    subscribed: boolean;
    /** it receives every topic asked for */
    receivesAll: boolean;
    /** its owner, a bounce or a complaint ended the subscription, or pauses it */
    isOptedOut: boolean;
    locale: string | null;
  } | null;
  suppressed: boolean;
  /** its owner said lately that a request was not theirs */
  declined: boolean;
}

/** Locks the contact of an address, if there is one, and reads what decides about a request. */
export async function readAsked(
  db: SqlDb,
  projectId: string,
  email: string,
  topics: readonly { number: number; default: 'IN' | 'OUT' }[],
): Promise<Asked> {
  const to = { project: Prisma.sql`${projectId}::uuid`, address: Prisma.sql`${email}::text` };
  const all = topics.map((topic) => receives(choicesOf('c'), topicSql(topic)));
  const [contact] = await db.$queryRaw<NonNullable<Asked['contact']>[]>`
    SELECT c."id"::text AS "id", c."subscribed", ${all.length === 0 ? constant('c."subscribed"') : Prisma.join(all, ' AND ')} AS "receivesAll",
      c."snoozedUntil" IS NOT NULL OR coalesce(opt_out_by(c."subscribed", c."snoozedUntil", c."stated", c."optOutBy", c."subscriptionChangedAt",
        c."optedOutAt") = 'recipient', false) AS "isOptedOut",
      CASE WHEN jsonb_typeof(c."data" -> 'locale') = 'string' THEN c."data" ->> 'locale' END AS "locale"
    FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = ${email} FOR NO KEY UPDATE`;
  const [row] = await db.$queryRaw<{ suppressed: boolean; declined: boolean }[]>`
    SELECT ${isSuppressed(to)} AS "suppressed", EXISTS (
      SELECT FROM "SubscriptionRequest" r WHERE r."contactId" = ${contact?.id ?? null}::uuid AND ${ofProject('r."projectId"', projectId)}
        AND r."status" = 'DECLINED' AND r."closedAt" > now() - ${declinedDays}::int * interval '1 day') AS "declined"`;
  return {
    contact: contact ?? null,
    suppressed: row?.suppressed ?? false,
    declined: row?.declined ?? false,
  };
}

/** Creates the contact of a request, of whom nothing is said yet. @returns null if there is one meanwhile */
export async function insertAskedContact(
  db: SqlDb,
  projectId: string,
  id: string,
  email: string,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "stated", "consentSeq", "data")
    VALUES (${id}::uuid, ${projectId}::uuid, ${email}, false, false, 0, '{}') ON CONFLICT ("projectId", "email") DO NOTHING RETURNING "id"::text AS "id"`;
  return row?.id ?? null;
}

export interface NewRequest {
  id: string;
  projectId: string;
  contactId: string;
  topics: readonly number[];
  data: Record<string, unknown> | null;
  language: MailLanguage;
  wordingId: string | null;
  form: { id: string; version: number } | null;
  ip: string | null;
  userAgent: string | null;
  page: string | null;
  madeContact: boolean;
}

/** Stores a request, whose email has its id. @returns when it expires */
export async function insertRequest(db: SqlDb, request: NewRequest): Promise<Date> {
  const { form } = request;
  const data = request.data === null ? null : JSON.stringify(request.data);
  const [row] = await db.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO "SubscriptionRequest" ("id", "projectId", "contactId", "topics", "data", "language", "wordingId", "formId", "formVersion", "ip", "userAgent",
      "page", "emailId", "madeContact", "expiresAt")
    VALUES (${request.id}::uuid, ${request.projectId}::uuid, ${request.contactId}::uuid, ${[...request.topics]}::smallint[], ${data}::jsonb,
      ${request.language}, ${request.wordingId}::uuid, ${form?.id ?? null}::uuid, ${form?.version ?? null}::int, ${request.ip}, ${request.userAgent},
      ${request.page}, ${request.id}::uuid, ${request.madeContact}, now() + ${confirmableMs}::float8 * interval '1 ms')
    RETURNING "expiresAt"`;
  if (!row) throw new Error('storing a subscription request gave no row');
  return row.expiresAt;
}

/** A request with what its page shows. */
export interface RequestOfLink {
  id: string;
  projectId: string;
  contactId: string;
  status: RequestStatus;
  isExpired: boolean;
  email: string;
  topics: number[];
  topicNames: Texts[];
  data: Record<string, unknown> | null;
  language: MailLanguage;
  wordingId: string | null;
  wording: string | null;
  madeContact: boolean;
  form: { id: string; version: number; confirmedUrl: string | null; isOpen: boolean } | null;
  projectName: string;
  projectLanguage: string;
  brand: unknown;
  consent: unknown;
}

/** The request of a link; null for an unknown one, and once its contact or project is deleted. */
export async function findRequestOfLink(db: SqlDb, id: string): Promise<RequestOfLink | null> {
  const [row] = await db.$queryRaw<RequestOfLink[]>`
    SELECT r."id"::text AS "id", r."projectId"::text AS "projectId", r."contactId"::text AS "contactId", r."status"::text AS "status",
      r."expiresAt" <= now() AS "isExpired", c."email", r."topics", r."data", r."language", r."wordingId"::text AS "wordingId", w."text" AS "wording",
      r."madeContact",
      coalesce((SELECT jsonb_agg(t."name" ORDER BY t."position", t."number") FROM "Topic" t
        WHERE t."projectId" = r."projectId" AND t."number" = ANY(r."topics")), '[]') AS "topicNames",
      CASE WHEN f."id" IS NOT NULL THEN jsonb_build_object('id', f."id", 'version', r."formVersion", 'confirmedUrl', f."confirmedUrl",
        'isOpen', f."enabled" AND f."deletedAt" IS NULL) END AS "form",
      p."name" AS "projectName", p."language" AS "projectLanguage", p."brand", p."consent"
    FROM "SubscriptionRequest" r
    JOIN "Contact" c ON c."id" = r."contactId" AND c."projectId" = r."projectId"
    JOIN "Project" p ON p."id" = r."projectId" AND p."deletedAt" IS NULL
    LEFT JOIN "Form" f ON f."id" = r."formId"
    LEFT JOIN "Wording" w ON w."id" = r."wordingId" AND w."projectId" = r."projectId"
    WHERE r."id" = ${id}::uuid`;
  return row ?? null;
}

/**
 * Answers an open request: one of many that come at once does.
 *
 * @returns whether this one did
 */
export async function answerRequest(
  db: SqlDb,
  { id, projectId }: Pick<RequestOfLink, 'id' | 'projectId'>,
  status: 'CONFIRMED' | 'DECLINED',
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "SubscriptionRequest" SET "status" = ${status}::"SubscriptionRequestStatus", "closedAt" = now(),
      "confirmedAt" = CASE WHEN ${status === 'CONFIRMED'}::boolean THEN now() END
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "status" = 'PENDING' AND "expiresAt" > now()`;
  return count > 0;
}

/** Writes the data of a confirmed request: of a contact that existed before only what it does not have, and nothing that would not fit. */
export async function mergeRequestData(
  db: SqlDb,
  {
    projectId,
    contactId,
    madeContact,
    data,
  }: Pick<RequestOfLink, 'projectId' | 'contactId' | 'madeContact' | 'data'>,
  mostBytes: number,
): Promise<void> {
  if (data === null || Object.keys(data).length === 0) return;
  const given = Prisma.sql`${JSON.stringify(data)}::jsonb`;
  const merged = madeContact ? Prisma.sql`c."data" || ${given}` : Prisma.sql`${given} || c."data"`;
  await db.$executeRaw`
    UPDATE "Contact" c SET "data" = ${merged}, "updatedAt" = now()
    WHERE c."id" = ${contactId}::uuid AND ${ofProject('c."projectId"', projectId)} AND c."data" <> ${merged} AND octet_length((${merged})::text) <= ${mostBytes}::int`;
}

type RequestEvent =
  | 'contact.subscription.requested'
  | 'contact.subscription.confirmed'
  | 'contact.subscription.declined'
  | 'contact.subscription.expired';

/** The data of the events of requests, from the row `r`. */
const eventData = constant(`jsonb_build_object('requestId', r."id", 'formId', r."formId", 'topics', coalesce((
  SELECT jsonb_agg(t."key" ORDER BY t."position", t."number") FROM "Topic" t WHERE t."projectId" = r."projectId" AND t."number" = ANY(r."topics")), '[]'))`);

/** Stores the event of requests. */
export async function tellOfRequests(
  db: SqlDb,
  type: RequestEvent,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    ${insertEvents}
    ${eventRow({
      ...storedAs(type),
      projectId: constant('r."projectId"'),
      data: eventData,
      contactId: constant('r."contactId"'),
      emailId: constant('r."emailId"'),
    })}
    FROM "SubscriptionRequest" r WHERE r."projectId" = ${projectId}::uuid AND r."id" = ANY(${[...ids]}::uuid[])`;
}

export interface ExpiredRequest {
  id: string;
  projectId: string;
  contactId: string;
  formId: string | null;
  formVersion: number | null;
}

/** Closes requests that nobody has answered in time, at most `limit`. Those that are being answered are left for the next look. */
export const expireRequests = (db: SqlDb, limit: number): Promise<ExpiredRequest[]> => db.$queryRaw`
  WITH "due" AS MATERIALIZED (
    SELECT "id" FROM "SubscriptionRequest" WHERE "status" = 'PENDING' AND "expiresAt" <= now()
    ORDER BY "expiresAt" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
  )
  UPDATE "SubscriptionRequest" r SET "status" = 'EXPIRED', "closedAt" = now() FROM "due" d WHERE r."id" = d."id"
  RETURNING r."id"::text AS "id", r."projectId"::text AS "projectId", r."contactId"::text AS "contactId", r."formId"::text AS "formId", r."formVersion"`;

export type FormCounter = 'submitted' | 'confirmed' | 'declined' | 'expired' | 'refused';

/** Adds to the figures of forms, for the present day of their project. */
export async function countForForms(
  db: SqlDb,
  projectId: string,
  formIds: readonly (string | null)[],
  counter: FormCounter,
): Promise<void> {
  const given = formIds.filter((id) => id !== null);
  if (given.length === 0) return;
  const column = constant(`"${counter}"`);
  await db.$executeRaw`
    INSERT INTO "FormFigure" AS g ("projectId", "formId", "day", ${column})
    SELECT ${projectId}::uuid, u."id", (now() AT TIME ZONE p."timezone")::date, count(*)
    FROM unnest(${given}::uuid[]) AS u("id"), "Project" p WHERE p."id" = ${projectId}::uuid GROUP BY u."id", p."timezone" ORDER BY u."id"
    ON CONFLICT ("formId", "day") DO UPDATE SET ${column} = g.${column} + excluded.${column}`;
}

/** The figures of a form by day, of days that have some. */
export const readFormDays = (
  db: SqlDb,
  projectId: string,
  formId: string,
  { from, to }: { from: string; to: string },
): Promise<({ day: string } & Record<FormCounter, number>)[]> => db.$queryRaw`
  SELECT to_char("day", 'YYYY-MM-DD') AS "day", "submitted", "confirmed", "declined", "expired", "refused" FROM "FormFigure"
  WHERE "formId" = ${formId}::uuid AND ${ofProject('"projectId"', projectId)} AND "day" BETWEEN ${from}::date AND ${to}::date ORDER BY "day"`;

/** Takes back what became of no request, or counts a confirmation. */
export const countRequest = (db: SqlDb, projectId: string, what: 'none' | 'confirmed'): Promise<unknown> =>
  db.$executeRaw`SELECT count_request(${projectId}::uuid, ${what})::text`;

/** Guards a form for an hour if too few of its requests were confirmed (behaviour B12.6). */
export const guardForm = (db: SqlDb, formId: string): Promise<number> => db.$executeRaw`
  UPDATE "Form" f SET "guardedUntil" = now() + interval '1 hour' FROM (
    SELECT count(*) AS "all", count(*) FILTER (WHERE "status" = 'CONFIRMED') AS "confirmed" FROM "SubscriptionRequest"
    WHERE "formId" = ${formId}::uuid AND "requestedAt" > now() - ${guardRule.toMinutes}::int * interval '1 minute'
      AND "requestedAt" <= now() - ${guardRule.fromMinutes}::int * interval '1 minute') r
  WHERE f."id" = ${formId}::uuid AND r."all" >= ${guardRule.requests}::int AND r."confirmed" < ${guardRule.share}::float8 * r."all"`;

export interface RequestRow {
  id: string;
  projectId: string;
  contactId: string;
  email: string;
  status: RequestStatus;
  topics: number[];
  form: { id: string; name: string; version: number } | null;
  wording: { id: string; language: string; text: string } | null;
  language: MailLanguage;
  requestedAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  emailId: string | null;
}

const requestColumns =
  constant(`r."id"::text AS "id", r."projectId"::text AS "projectId", r."contactId"::text AS "contactId", c."email", r."status"::text AS "status",
  r."topics", r."language", r."requestedAt", r."expiresAt", r."confirmedAt", r."emailId"::text AS "emailId",
  CASE WHEN f."id" IS NOT NULL THEN jsonb_build_object('id', f."id", 'name', f."name", 'version', r."formVersion") END AS "form",
  CASE WHEN w."id" IS NOT NULL THEN jsonb_build_object('id', w."id", 'language', w."language", 'text', w."text") END AS "wording"`);

const requestTables =
  constant(`"SubscriptionRequest" r JOIN "Contact" c ON c."id" = r."contactId" AND c."projectId" = r."projectId"
  LEFT JOIN "Form" f ON f."id" = r."formId" LEFT JOIN "Wording" w ON w."id" = r."wordingId" AND w."projectId" = r."projectId"`);

interface RequestSearch {
  status: RequestStatus | undefined;
}

const found = (
  projectId: string,
  { status }: RequestSearch,
): Prisma.Sql => Prisma.sql`r."projectId" = ${projectId}::uuid
  ${status === undefined ? Prisma.empty : Prisma.sql`AND r."status" = ${status}::"SubscriptionRequestStatus"`}`;

/** One page of requests, newest first. */
export const pageOfRequests = (
  db: SqlDb,
  projectId: string,
  search: RequestSearch,
  { after, take }: { after: Keyset | null; take: number },
): Promise<RequestRow[]> => db.$queryRaw`
  SELECT ${requestColumns} FROM ${requestTables} WHERE ${found(projectId, search)}
    ${after ? Prisma.sql`AND (r."requestedAt", r."id") < (${new Date(after.value)}::timestamptz, ${after.id}::uuid)` : Prisma.empty}
  ORDER BY r."requestedAt" DESC, r."id" DESC LIMIT ${take}::int`;

export async function countRequests(db: SqlDb, projectId: string, search: RequestSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "SubscriptionRequest" r WHERE ${found(projectId, search)}`;
  return row?.count ?? 0;
}

export async function findRequest(db: SqlDb, projectId: string, id: string): Promise<RequestRow | null> {
  const [row] = await db.$queryRaw<RequestRow[]>`
    SELECT ${requestColumns} FROM ${requestTables} WHERE r."projectId" = ${projectId}::uuid AND r."id" = ${id}::uuid`;
  return row ?? null;
}

/** Days after a request in which a contact that it created, and that nobody confirmed, is deleted. */
const unconfirmedDays = { from: 30, to: 60 } as const;

/** Contacts of which nothing is known but that somebody asked for their subscription. One of which more is known by then stays for good. */
export const findUnconfirmedContacts = (
  db: SqlDb,
  now: Date,
  limit: number,
): Promise<{ projectId: string; contactId: string }[]> => db.$queryRaw`
  SELECT DISTINCT r."projectId"::text AS "projectId", r."contactId"::text AS "contactId"
  FROM "SubscriptionRequest" r JOIN "Contact" c ON c."id" = r."contactId" AND c."projectId" = r."projectId"
  WHERE r."status" = 'EXPIRED' AND r."madeContact"
    AND r."expiresAt" BETWEEN ${now}::timestamptz - ${unconfirmedDays.to}::int * interval '1 day' + ${confirmableMs}::float8 * interval '1 ms'
      AND ${now}::timestamptz - ${unconfirmedDays.from}::int * interval '1 day' + ${confirmableMs}::float8 * interval '1 ms'
    AND NOT c."stated" AND NOT c."subscribed" AND c."externalId" IS NULL AND c."data" = '{}'
    AND NOT EXISTS (SELECT FROM "SubscriptionRequest" x WHERE x."contactId" = c."id" AND x."id" <> r."id"
      AND (x."status" <> 'EXPIRED' OR x."expiresAt" > r."expiresAt"))
    AND NOT EXISTS (SELECT FROM "Event" e WHERE e."projectId" = c."projectId" AND e."contactId" = c."id" AND e."kind" = 'CUSTOM')
    AND NOT EXISTS (SELECT FROM "Email" m WHERE m."projectId" = c."projectId" AND m."contactId" = c."id"
      AND m."id" <> ALL(SELECT x."emailId" FROM "SubscriptionRequest" x WHERE x."contactId" = c."id" AND x."emailId" IS NOT NULL))
    AND NOT EXISTS (SELECT FROM "SegmentMembership" m JOIN "Segment" s ON s."id" = m."segmentId"
      WHERE m."projectId" = c."projectId" AND m."contactId" = c."id" AND s."type" = 'STATIC')
    AND NOT EXISTS (SELECT FROM "WorkflowEntry" w WHERE w."projectId" = c."projectId" AND w."contactId" = c."id")
  LIMIT ${limit}::int`;
