import { type ContactReference, hasInAddress, idOfContact } from '../../audience/contacts/index.ts';
import {
  constant,
  containsOneOf,
  type Db,
  type EmailSource,
  type EmailStatus,
  type InteractionType,
  ofProject,
  Prisma,
} from '../../base/db/index.ts';
import { quarterBefore, quarterInterval, quarterMs } from '../../base/figures/index.ts';
import { addressPartsSought, type Keyset } from '../../base/kernel/index.ts';
import { messageIdOf, waitsForWave } from '../ledger/index.ts';
import { claimedPriorities, firstBulkPriority, type SharedValues } from '../ledger/ledger.rules.ts';
import type { EmailRecord } from './sending.schema.ts';
import { isTallied } from './tally/tallied.rules.ts';
import { quartersWith } from './tally/tally.store.ts';

/** An email as stored; `plainSubject` is the content's subject, for emails that are not rendered yet. */
export interface EmailRow {
  id: string;
  projectId: string;
  contactId: string | null;
  to: string;
  toName: string | null;
  recipientType: EmailRecord['recipientType'];
  sharedMessageId: string | null;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  subject: string | null;
  plainSubject: string;
  /** nothing in the subject is a template */
  literal: boolean;
  type: EmailRecord['type'];
  sourceType: EmailRecord['sourceType'];
  /** the key of its topic */
  topic: string | null;
  templateId: string | null;
  campaignId: string | null;
  workflowExecutionId: string | null;
  workflowStepExecutionId: string | null;
  tags: string[];
  metadata: Record<string, string>;
  status: EmailRecord['status'];
  reason: string | null;
  error: string | null;
  diagnosis: EmailRecord['diagnosis'];
  messageId: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
  scheduledAt: Date | null;
  heldBy: EmailRecord['heldBy'];
  variant: EmailRecord['variant'];
  estimatedSendAt: Date | null;
  opens: number;
  clicks: number;
  sentAt: Date | null;
  deliveredAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
  bouncedAt: Date | null;
  complainedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  contentId: string;
  contentClearedAt: Date | null;
  vars: Record<string, unknown> | null;
  contactEmail: string | null;
  contactSubscribed: boolean | null;
  toOther: boolean;
  acceptedSubscribed: boolean | null;
  contactData: Record<string, unknown> | null;
  /** of a shared message: the values of its first recipient */
  shared: SharedValues | null;
}

const messageId = constant(messageIdOf('e."messageId"', 'e."id"'));

/** SCHEDULED is not stored: it is what waits for its first attempt and has a time ahead. */
const isScheduled = Prisma.sql`e."status" = 'PENDING' AND e."attempts" = 0 AND e."scheduledAt" > now()`;

/**
 * An email is SENDING while a worker holds its batch. One that waits for a paused route, or for its sender to be accepted there,
 * shows that as its error.
 */
export const selectEmail = (routeId: string) => Prisma.sql`
SELECT e."id", e."projectId", e."contactId", e."to", e."toName",
  coalesce(e."recipientType"::text, 'TO') AS "recipientType", e."sharedMessageId", c."from", c."fromName", c."replyTo", e."subject", c."subject" AS "plainSubject", c."literal",
  e."type", e."sourceType", CASE WHEN c."topicId" IS NOT NULL THEN (SELECT t."key" FROM "Topic" t WHERE t."id" = c."topicId") END AS "topic", e."templateId", e."campaignId", e."workflowExecutionId", e."workflowStepExecutionId",
  CASE WHEN e."variant" = 0 THEN 'REST' ELSE chr(64 + e."variant") END AS "variant",
  coalesce(e."tags", '{}') AS "tags", coalesce(e."metadata", '{}') AS "metadata",
  CASE WHEN d."token" IS NOT NULL AND e."status" IN ('PENDING', 'UNCERTAIN') THEN 'SENDING'
    WHEN ${isScheduled} THEN 'SCHEDULED' ELSE e."status"::text END AS "status",
  CASE WHEN e."status" = 'SKIPPED' THEN e."reason" END AS "reason",
  CASE WHEN ${isScheduled} THEN e."error" WHEN e."status" = 'PENDING' AND r."pausedAt" IS NOT NULL
    THEN coalesce(e."error" || '; ', '') || 'Waiting for the mail server: ' || r."reason"
    WHEN e."status" = 'PENDING' AND s."reason" IS NOT NULL
    THEN coalesce(e."error" || '; ', '') || 'Waiting for the mail server to accept the sender: ' || s."reason" ELSE e."error" END AS "error",
  e."diagnosis",
  CASE WHEN e."messageId" IS NOT NULL OR e."sentAt" IS NOT NULL OR e."status" = 'UNCERTAIN' THEN ${messageId} END AS "messageId",
  e."attempts", CASE WHEN d."token" IS NULL AND NOT d."held" THEN d."nextAttemptAt" END AS "nextAttemptAt", e."opens", e."clicks",
  e."scheduledAt", h."heldBy", CASE WHEN h."heldBy" IN ('schedule', 'retry', 'cap', 'quiet_hours') THEN d."nextAttemptAt" END AS "estimatedSendAt",
  e."sentAt", e."deliveredAt", e."openedAt", e."clickedAt", e."bouncedAt", e."complainedAt", e."createdAt", e."updatedAt",
  e."contentId", e."contentClearedAt", e."vars", e."toOther", e."acceptedSubscribed", p."email" AS "contactEmail", p."subscribed" AS "contactSubscribed", p."data" AS "contactData",
  CASE WHEN f."id" IS NOT NULL THEN jsonb_build_object('contactId', f."contactId", 'address', f."to", 'subscribed', f."acceptedSubscribed", 'vars', f."vars") END AS "shared"
FROM "Email" e
JOIN "Content" c ON c."id" = e."contentId"
LEFT JOIN "DeliveryBatch" d ON d."id" = e."batchId"
LEFT JOIN "Contact" p ON p."id" = e."contactId"
LEFT JOIN "Email" f ON f."id" = e."sharedMessageId"
LEFT JOIN "Route" r ON r."id" = ${routeId}
LEFT JOIN "Installation" i ON i."id" = 1
LEFT JOIN "SenderPause" s ON s."routeId" = ${routeId} AND s."sender" = d."domainId"::text
CROSS JOIN LATERAL (
  SELECT CASE WHEN d."id" IS NULL OR d."token" IS NOT NULL OR e."status" NOT IN ('PENDING', 'UNCERTAIN') THEN NULL
    WHEN ${isScheduled} THEN 'schedule'
    WHEN d."held" THEN CASE WHEN e."variant" = 0 AND EXISTS (SELECT FROM "Campaign" k WHERE k."id" = d."campaignId" AND k."pausedAt" IS NULL AND k."wave" < d."wave") THEN 'test'
      WHEN EXISTS (SELECT FROM "Campaign" k WHERE k."id" = d."campaignId" AND k."pausedAt" IS NULL AND (k."perHour" IS NOT NULL OR k."careful"))
      THEN 'pace' ELSE 'paused' END
    WHEN d."wave" > 0 AND NOT d."again" AND d."nextAttemptAt" > now() AND ${waitsForWave('d')} THEN 'schedule'
    WHEN d."nextAttemptAt" > now() AND d."heldBy" IS NOT NULL THEN d."heldBy"
    WHEN d."nextAttemptAt" > now() AND (e."attempts" > 0 OR r."pausedAt" IS NULL AND s."reason" IS NULL) THEN 'retry'
    WHEN i."hold" = 'all' OR i."hold" = 'marketing' AND e."type" <> 'TRANSACTIONAL' THEN 'restore'
    WHEN r."pausedAt" IS NOT NULL OR s."reason" IS NOT NULL THEN 'route' END AS "heldBy"
) h`;

/**
 * The emails whose ids a query selects. The ids are an array, because PostgreSQL does not reorder more than eight joined tables
 * (join_collapse_limit): as a table they would be joined last, to the emails of all projects.
 */
export const selectEmailsOf = (ids: Prisma.Sql, routeId: string): Prisma.Sql =>
  Prisma.sql`${selectEmail(routeId)} WHERE e."id" = ANY(ARRAY(${ids}))`;

export interface EmailSearch {
  projectId: string;
  limit: number;
  after: Keyset | null;
  sort: 'createdAt' | 'scheduledAt';
  dir: 'asc' | 'desc';
  status?: string | undefined;
  sourceType?: string | undefined;
  class?: string | undefined;
  contactId?: ContactReference | undefined;
  /** the whole address, in its normal form */
  recipient?: string | undefined;
  campaignId?: string | undefined;
  templateId?: string | undefined;
  sharedMessageId?: string | undefined;
  tag?: string | undefined;
  /** the emails that have a pair of metadata */
  ids?: readonly string[] | undefined;
  /** part of the address or subject, in any case */
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function conditionsOf(search: EmailSearch): Prisma.Sql[] {
  const {
    projectId,
    sort,
    status,
    sourceType,
    class: diagnosed,
    contactId,
    recipient,
    campaignId,
    templateId,
    sharedMessageId,
    tag,
    ids,
    from,
    to,
  } = search;
  const conditions = [Prisma.sql`e."projectId" = ${projectId}::uuid AND e."sourceType" <> 'SYSTEM'`];
  if (sourceType) conditions.push(Prisma.sql`e."sourceType" = ${sourceType}::"EmailSource"`);
  // Both, so that the index of refusals is used.
  if (diagnosed)
    conditions.push(Prisma.sql`e."diagnosis" IS NOT NULL AND e."diagnosis" ->> 'class' = ${diagnosed}`);
  if (contactId) conditions.push(Prisma.sql`e."contactId" = ${idOfContact(projectId, contactId)}`);
  if (recipient !== undefined) conditions.push(isTo(projectId, recipient));
  if (campaignId) conditions.push(Prisma.sql`e."campaignId" = ${campaignId}::uuid`);
  if (templateId) conditions.push(Prisma.sql`e."templateId" = ${templateId}::uuid`);
  if (sharedMessageId) conditions.push(Prisma.sql`e."sharedMessageId" = ${sharedMessageId}::uuid`);
  // Of the few emails with a pair of metadata, their own tags are read.
  if (tag !== undefined && (ids || search.search)) conditions.push(Prisma.sql`${tag}::text = ANY(e."tags")`);
  if (ids) conditions.push(Prisma.sql`e."id" = ANY(${[...ids]}::uuid[])`);
  if (from) conditions.push(Prisma.sql`e."createdAt" >= ${from}`);
  if (to) conditions.push(Prisma.sql`e."createdAt" < ${to}`);
  if (sort === 'scheduledAt') conditions.push(Prisma.sql`e."scheduledAt" IS NOT NULL`);
  const held = Prisma.sql`EXISTS (SELECT FROM "DeliveryBatch" h WHERE h."id" = e."batchId" AND h."token" IS NOT NULL)`;
  if (status === 'SENDING') {
    // By the ids of what is held, which are few.
    conditions.push(Prisma.sql`e."status" IN ('PENDING', 'UNCERTAIN') AND ${held} AND e."id" = ANY(ARRAY(
      SELECT unnest(h."emailIds") FROM "DeliveryBatch" h WHERE h."projectId" = ${projectId}::uuid AND h."token" IS NOT NULL))`);
  } else if (status === 'SCHEDULED') conditions.push(Prisma.sql`${isScheduled} AND NOT ${held}`);
  else if (status === 'PENDING') {
    conditions.push(Prisma.sql`e."status" = 'PENDING' AND NOT ${held}
      AND (e."scheduledAt" IS NULL OR e."scheduledAt" <= now() OR e."attempts" > 0)`);
  } else if (status === 'UNCERTAIN') {
    conditions.push(Prisma.sql`e."status" = 'UNCERTAIN' AND NOT ${held}`);
  } else if (status) conditions.push(Prisma.sql`e."status" = ${status}::"EmailStatus"`);
  return conditions;
}

/** Emails whose address need not be that of their contact: the condition of the index `Email_other_recipient`. */
const toOthers = Prisma.sql`(e."contactId" IS NULL OR e."sourceType" = 'WORKFLOW' OR e."readdressed" OR e."toOther")`;

/** Emails to an address: those of its contact, and those that have another contact or none. Each part has an index. */
const isTo = (projectId: string, address: string): Prisma.Sql => Prisma.sql`e."id" IN (
  SELECT e."id" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."to" = ${address}
    AND e."contactId" = ${idOfContact(projectId, { by: 'email', value: address })}
  UNION SELECT e."id" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."to" = ${address} AND ${toOthers})`;

/** The subject is the content's until it is rendered, and if rendering does not change it. */
const mentions = (
  projectId: string,
  { pattern, recipient }: Sought,
): Prisma.Sql => Prisma.sql`(${recipient} OR lower(e."subject") LIKE ${pattern}
  OR e."subject" IS NULL AND e."contentId" IN (
    SELECT c."id" FROM "Content" c WHERE c."projectId" = ${projectId}::uuid AND lower(c."subject") LIKE ${pattern}))`;

/** What a text is looked for with. */
interface Sought {
  /** of subjects, in lower case */
  pattern: string;
  /** whether the address of `"Email" e` contains it */
  recipient: Prisma.Sql;
}

const soughtBy = (text: string): Sought => ({
  pattern: `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`,
  recipient: containsOneOf(Prisma.sql`e."to"`, addressPartsSought(text)),
});

/** More contacts or contents that contain the text mean that it is frequent: a page is then soon found among the newest emails. */
const most = { contacts: 2_000, contents: 200 };
/** The number of newest emails that are searched by subjects that were filled in, which have no index; older ones by the content's. */
const newest = 20_000;
/** The number of newest emails that are searched for a frequent text one after another, before all are searched at once. */
const newestOfFrequent = 5_000;

interface Sources extends Sought {
  contactIds: string[];
  contentIds: string[];
  /** when the oldest of the newest emails was created */
  since: Date;
}

/** Where the emails are that contain a text; null when it is too frequent for that (decision 025). */
async function findSources(db: Db, projectId: string, text: string): Promise<Sources | null> {
  const sought = soughtBy(text);
  const { pattern } = sought;
  const [found] = await db.$queryRaw<(Omit<Sources, keyof Sought | 'since'> & { since: Date | null })[]>`
    SELECT
      ARRAY(SELECT "id"::text FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${hasInAddress(text)}
        LIMIT ${most.contacts + 1}::int) AS "contactIds",
      ARRAY(SELECT "id"::text FROM "Content" WHERE "projectId" = ${projectId}::uuid AND lower("subject") LIKE ${pattern}
        LIMIT ${most.contents + 1}::int) AS "contentIds",
      (SELECT "createdAt" FROM "Email" WHERE "projectId" = ${projectId}::uuid
        ORDER BY "createdAt" DESC, "id" DESC OFFSET ${newest - 1}::int LIMIT 1) AS "since"`;
  if (!found || found.contactIds.length > most.contacts || found.contentIds.length > most.contents)
    return null;
  return { ...found, ...sought, since: found.since ?? new Date(0) };
}

/** For each source, the condition of its emails, over a lateral `s."id"` where it has several keys. */
function sourcesOf(
  projectId: string,
  { pattern, recipient, contactIds, contentIds, since }: Sources,
): Source[] {
  const ids = (values: readonly string[]): Prisma.Sql =>
    Prisma.sql`(SELECT unnest(${[...values]}::uuid[]) AS "id") s`;
  return [
    { keys: ids(contactIds), matches: Prisma.sql`e."contactId" = s."id" AND ${recipient}` },
    {
      keys: ids(contentIds),
      matches: Prisma.sql`e."contentId" = s."id" AND (e."subject" IS NULL OR e."createdAt" < ${since})`,
    },
    {
      keys: one,
      matches: Prisma.sql`${recipient} AND ${toOthers}`,
    },
    {
      keys: one,
      matches: Prisma.sql`e."projectId" = ${projectId}::uuid AND e."createdAt" >= ${since} AND lower(e."subject") LIKE ${pattern}`,
    },
  ];
}

interface Source {
  keys: Prisma.Sql;
  matches: Prisma.Sql;
}

const one = Prisma.sql`(SELECT 1) s`;

type Order = Pick<EmailSearch, 'sort' | 'dir'>;

const columnOf = ({ sort }: Order): Prisma.Sql =>
  sort === 'scheduledAt' ? Prisma.sql`e."scheduledAt"` : Prisma.sql`e."createdAt"`;

const directionOf = ({ dir }: Order): Prisma.Sql => (dir === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`);

function ordered(order: Order): Prisma.Sql {
  const direction = directionOf(order);
  return Prisma.sql`ORDER BY ${columnOf(order)} ${direction}, e."id" ${direction}`;
}

/** Whether the emails are read in the order of the rows of their tag. */
const isByTag = ({ tag, ids, search, sort }: EmailSearch): boolean =>
  tag !== undefined && !ids && !search && sort !== 'scheduledAt';

const ofTag = ({ projectId, tag }: EmailSearch): Prisma.Sql =>
  Prisma.sql`"EmailTag" t JOIN "Email" e ON e."id" = t."emailId" WHERE t."projectId" = ${projectId}::uuid AND t."tag" = ${tag}::text`;

function pageOfTag(search: EmailSearch, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const direction = directionOf(search);
  const older = search.after
    ? Prisma.sql`AND (t."createdAt", t."emailId") ${search.dir === 'asc' ? Prisma.sql`>` : Prisma.sql`<`} (${new Date(search.after.value)}, ${search.after.id}::uuid)`
    : Prisma.empty;
  return Prisma.sql`SELECT e."id" FROM ${ofTag(search)} ${older} AND ${Prisma.join([...conditions], ' AND ')}
    ORDER BY t."createdAt" ${direction}, t."emailId" ${direction} LIMIT ${search.limit}::int`;
}

/** The emails of a project that have a pair of metadata, at most one more than `most`. */
export async function findByMetadata(
  db: Db,
  projectId: string,
  pair: Record<string, string>,
  most: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "metadata" IS NOT NULL
      AND "metadata" @> ${JSON.stringify(pair)}::jsonb LIMIT ${most + 1}::int`;
  return rows.map(({ id }) => id);
}

/** Statuses as stored of emails that are shown with a status. */
const storedOf = (status: string): EmailStatus[] =>
  status === 'SCHEDULED' ? ['PENDING'] : [status as EmailStatus];

/**
 * The ids of one page of emails with a status that may be rare: where they are is known by quarters of an hour, so that others are not read.
 * Null while that is not known.
 */
async function idsByStatus(db: Db, search: EmailSearch, status: string): Promise<string[] | null> {
  const { projectId, dir, limit, after } = search;
  const ids: string[] = [];
  const given = Prisma.join([...conditionsOf(search), ...keysetOf(search)], ' AND ');
  const reached = after && new Date(after.value);
  let { from, to } = search;
  if (reached && dir === 'asc') from = laterOf(from, reached);
  if (reached && dir === 'desc') to = earlierOf(to, new Date(reached.getTime() + 1));
  while (ids.length < limit) {
    const quarters = await quartersWith(db, {
      ...{
        projectId,
        dir,
        statuses: storedOf(status),
        sourceType: search.sourceType as EmailSource | undefined,
      },
      ...{ from: from && quarterBefore(from), to, enough: limit - ids.length },
    });
    if (quarters === null) return null;
    const last = quarters.at(-1);
    if (!last) break;
    const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      SELECT e."id" FROM unnest(${quarters}::timestamptz[]) q("at") CROSS JOIN LATERAL (
        SELECT e."id", e."createdAt", e."scheduledAt" FROM "Email" e
        WHERE ${given} AND e."createdAt" >= q."at" AND e."createdAt" < q."at" + ${quarterInterval}
        ${ordered(search)} LIMIT ${limit - ids.length}::int) e
      ${ordered(search)} LIMIT ${limit - ids.length}::int`);
    ids.push(...rows.map(({ id }) => id));
    if (dir === 'asc') from = new Date(last.getTime() + quarterMs);
    else to = last;
  }
  return ids;
}

const laterOf = (one: Date | undefined, other: Date): Date => (one && one > other ? one : other);
const earlierOf = (one: Date | undefined, other: Date): Date => (one && one < other ? one : other);

/** What begins after the last email of the page before. */
const keysetOf = (search: EmailSearch): Prisma.Sql[] =>
  search.after
    ? [
        Prisma.sql`(${columnOf(search)}, e."id") ${search.dir === 'asc' ? Prisma.sql`>` : Prisma.sql`<`} (${new Date(search.after.value)}, ${search.after.id}::uuid)`,
      ]
    : [];

/** The ids of one keyset page. */
async function pageOfIds(db: Db, search: EmailSearch): Promise<Prisma.Sql> {
  if (search.status && search.status !== 'SENDING' && isTallied(search)) {
    const ids = await idsByStatus(db, search, search.status);
    if (ids) return Prisma.sql`SELECT unnest(${ids}::uuid[]) AS "id"`;
  }
  const conditions = conditionsOf(search);
  if (isByTag(search)) return pageOfTag(search, conditions);
  conditions.push(...keysetOf(search));
  const order = Prisma.sql`${ordered(search)} LIMIT ${search.limit}::int`;
  const given = Prisma.join(conditions, ' AND ');
  if (!search.search) return Prisma.sql`SELECT e."id" FROM "Email" e WHERE ${given} ${order}`;
  const sources = await findSources(db, search.projectId, search.search);
  if (!sources) return idsOfFrequent(db, search, given);
  const parts = sourcesOf(search.projectId, sources).map(
    ({ keys, matches }) => Prisma.sql`
      SELECT f.* FROM ${keys} CROSS JOIN LATERAL (
        SELECT e."id", e."createdAt", e."scheduledAt" FROM "Email" e WHERE ${given} AND ${matches} ${order}) f`,
  );
  return Prisma.sql`SELECT e."id" FROM (${Prisma.join(parts, ' UNION ')}) e ${order}`;
}

/**
 * The page of a text that is frequent among contacts or contents. In general it is full after some of the first emails. If it is not,
 * few emails contain the text: reading all others in their order would take ten times as long as reading them in that of the table.
 */
async function idsOfFrequent(
  db: Db,
  { projectId, limit, search = '', ...by }: EmailSearch,
  given: Prisma.Sql,
): Promise<Prisma.Sql> {
  const matches = mentions(projectId, soughtBy(search));
  const order = ordered(by);
  const first = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id" FROM (SELECT * FROM "Email" e WHERE ${given} ${order} LIMIT ${newestOfFrequent}::int) e
    WHERE ${matches} ${order} LIMIT ${limit}::int`;
  if (first.length === limit) return Prisma.sql`SELECT unnest(${first.map(({ id }) => id)}::uuid[]) AS "id"`;
  // OFFSET 0 keeps the planner from reading in this order.
  return Prisma.sql`SELECT e."id" FROM (
    SELECT e."id", e."createdAt", e."scheduledAt" FROM "Email" e WHERE ${given} AND ${matches} OFFSET 0) e ${order} LIMIT ${limit}::int`;
}

/** One keyset page: ids from indexes, joined afterwards. */
export const searchEmails = async (db: Db, search: EmailSearch, routeId: string): Promise<EmailRow[]> =>
  db.$queryRaw<EmailRow[]>(await statementOfPage(db, search, routeId));

export const statementOfPage = async (db: Db, search: EmailSearch, routeId: string): Promise<Prisma.Sql> =>
  Prisma.sql`${selectEmailsOf(await pageOfIds(db, search), routeId)} ${ordered(search)}`;

export async function countEmails(db: Db, search: EmailSearch): Promise<number> {
  const given = Prisma.join(conditionsOf(search), ' AND ');
  const sources = search.search ? await findSources(db, search.projectId, search.search) : null;
  const text =
    search.search && !sources
      ? Prisma.sql`AND ${mentions(search.projectId, soughtBy(search.search))}`
      : Prisma.empty;
  const matching = sources
    ? Prisma.sql`(${Prisma.join(
        sourcesOf(search.projectId, sources).map(
          ({ keys, matches }) =>
            Prisma.sql`SELECT f."id" FROM ${keys} CROSS JOIN LATERAL (SELECT e."id" FROM "Email" e WHERE ${given} AND ${matches}) f`,
        ),
        ' UNION ',
      )}) e`
    : isByTag(search)
      ? Prisma.sql`${ofTag(search)} AND ${given}`
      : Prisma.sql`"Email" e WHERE ${given} ${text}`;
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM ${matching}`,
  );
  return rows[0]?.count ?? 0;
}

/** Emails of a status that delivery processes hold, which are shown as SENDING. */
export async function countHeldEmails(
  db: Db,
  { projectId, sourceType, from, to }: EmailSearch,
  status: EmailStatus,
): Promise<number> {
  const source = sourceType ? Prisma.sql`AND e."sourceType" = ${sourceType}::"EmailSource"` : Prisma.empty;
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "DeliveryBatch" h CROSS JOIN LATERAL unnest(h."emailIds") i("id") JOIN "Email" e ON e."id" = i."id" AND e."batchId" = h."id"
    WHERE h."projectId" = ${projectId}::uuid AND h."token" IS NOT NULL AND e."status" = ${status}::"EmailStatus" AND e."sourceType" <> 'SYSTEM' ${source}
      ${from ? Prisma.sql`AND e."createdAt" >= ${from}` : Prisma.empty} ${to ? Prisma.sql`AND e."createdAt" < ${to}` : Prisma.empty}`;
  return row?.count ?? 0;
}

export async function findEmail(
  db: Db,
  projectId: string,
  id: string,
  routeId: string,
): Promise<EmailRow | null> {
  const rows = await db.$queryRaw<EmailRow[]>(
    Prisma.sql`${selectEmail(routeId)} WHERE e."id" = ${id}::uuid AND ${ofProject('e."projectId"', projectId)} AND e."sourceType" <> 'SYSTEM'`,
  );
  return rows[0] ?? null;
}

/** The email of an audience for a contact; null when none was written. */
export async function findEmailOfCampaign(
  db: Db,
  { projectId, campaignId, contactId }: { projectId: string; campaignId: string; contactId: string },
): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Email" WHERE "campaignId" = ${campaignId}::uuid AND "contactId" = ${contactId}::uuid AND ${ofProject('"projectId"', projectId)}`;
  return rows[0]?.id ?? null;
}

/** The newest emails of an execution, at most `limit`, in the order in which they were written. */
export async function findEmailsOfExecution(
  db: Db,
  { projectId, executionId }: { projectId: string; executionId: string },
  limit: number,
): Promise<Pick<EmailRow, 'id' | 'status' | 'to' | 'createdAt' | 'workflowStepExecutionId'>[]> {
  const rows = await db.$queryRaw<
    Pick<EmailRow, 'id' | 'status' | 'to' | 'createdAt' | 'workflowStepExecutionId'>[]
  >`
    SELECT "id", "status", "to", "createdAt", "workflowStepExecutionId" FROM "Email"
    WHERE "workflowExecutionId" = ${executionId}::uuid AND ${ofProject('"projectId"', projectId)}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}::int`;
  return rows.toReversed();
}

/** Emails whose time is ahead, soonest first. */
export const findScheduledEmails = (
  db: Db,
  { projectId, until, limit }: { projectId: string; until: Date; limit: number },
  routeId: string,
): Promise<(EmailRow & { scheduledAt: Date })[]> =>
  db.$queryRaw<(EmailRow & { scheduledAt: Date })[]>(Prisma.sql`
${selectEmailsOf(
  Prisma.sql`
  SELECT e."id" FROM "Email" e WHERE e."projectId" = ${projectId}::uuid AND ${isScheduled} AND e."scheduledAt" <= ${until}
  ORDER BY e."scheduledAt", e."id" LIMIT ${limit}::int`,
  routeId,
)}
ORDER BY e."scheduledAt", e."id"`);

/** Batches that are counted before one: of more, no estimate is made. */
const mostBatches = 2_000;

const direct = constant(`'{${claimedPriorities.direct.join()}}'::int[]`);
const bulk = constant(`'{${claimedPriorities.bulk.join()}}'::int[]`);

/**
 * The email of the project that is claimed before one that is due, by the order of claims, and the project's sending rate.
 *
 * @returns null when none is before it, or it is not due; `emails` is null when it is too much to be counted
 */
export async function queueBefore(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ emails: number | null; sendRate: number | null } | null> {
  const rows = await db.$queryRaw<{ emails: number; batches: number; sendRate: number | null }[]>`
    WITH mine AS MATERIALIZED (
      SELECT d.*, array_position(d."emailIds", e."id") - 1 AS "ahead" FROM "Email" e JOIN "DeliveryBatch" d ON d."id" = e."batchId"
      WHERE e."id" = ${id}::uuid AND ${ofProject('e."projectId"', projectId)} AND d."token" IS NULL AND NOT d."held" AND d."nextAttemptAt" <= now()
    ), "before" AS MATERIALIZED (
      SELECT b.size FROM mine m
      CROSS JOIN LATERAL unnest(CASE WHEN m."priority" < ${constant(firstBulkPriority)} THEN ${direct} ELSE ${direct} || ${bulk} END) AS l(n)
      CROSS JOIN unnest('{false,true}'::boolean[]) AS t(again)
      CROSS JOIN LATERAL (
        SELECT cardinality(b."emailIds") AS size FROM "DeliveryBatch" b
        WHERE b."projectId" = m."projectId" AND b."priority" = l.n AND b."again" = t.again AND b."token" IS NULL AND NOT b."held"
          AND b."nextAttemptAt" <= now()
          AND (l.n < m."priority" OR l.n = m."priority" AND (t.again < m."again" OR t.again = m."again" AND (b."nextAttemptAt", b."id") < (m."nextAttemptAt", m."id")))
        ORDER BY b."nextAttemptAt", b."id" LIMIT ${mostBatches + 1}::int
      ) b LIMIT ${mostBatches + 1}::int
    )
    SELECT (m."ahead" + coalesce((SELECT sum(size) FROM "before"), 0))::int AS "emails", (SELECT count(*) FROM "before")::int AS "batches",
      (SELECT p."sendRate" FROM "Project" p WHERE p."id" = m."projectId") AS "sendRate"
    FROM mine m`;
  const [row] = rows;
  if (!row || row.emails === 0) return null;
  return { emails: row.batches > mostBatches ? null : row.emails, sendRate: row.sendRate };
}

export const newestInteractions = (
  db: Db,
  projectId: string,
  emailId: string,
  limit: number,
): Promise<{ type: InteractionType; at: Date; link: string | null; detail: string | null; bot: boolean }[]> =>
  db.interaction.findMany({ where: { emailId, projectId }, orderBy: { at: 'desc' }, take: limit });

/** Whether the campaign of an email has not decided yet what its rest gets. */
export async function isUndecided(
  db: Db,
  { projectId, campaignId }: Pick<EmailRow, 'projectId' | 'campaignId'>,
): Promise<boolean> {
  if (campaignId === null) return false;
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM "Campaign" WHERE "id" = ${campaignId}::uuid AND "projectId" = ${projectId}::uuid
      AND "test" IS NOT NULL AND "testState" IS DISTINCT FROM 'DECIDED') AS "found"`;
  return row?.found ?? false;
}
