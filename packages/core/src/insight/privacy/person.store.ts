import { findActs, presentAct } from '../../audience/consent/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { PersonRequest } from './person-exports.store.ts';

/** Whom records are looked for of: a contact, or an address that none has, by its keyed hash. */
export interface Whom extends PersonRequest {
  projectId: string;
  hash: Buffer;
}

export interface RecordPage {
  records: Record<string, unknown>[];
  /** the last of them; null at the end */
  after: string | null;
}

const pageOf = (limit: number, rows: (Record<string, unknown> & { place: string })[]): RecordPage => ({
  records: rows.map(({ place: _, ...record }) => record),
  after: rows.length < limit ? null : (rows.at(-1)?.place ?? null),
});

/** The contact with its choices of topics; null without one. */
export async function readContact(db: Db, { projectId, contactId }: Whom): Promise<unknown> {
  if (contactId === null) return null;
  const [row] = await db.$queryRaw<Record<string, unknown>[]>`
    SELECT a."id", a."email", a."externalId", a."subscribed", a."snoozedUntil", a."optOutBy", a."pendingUntil",
      basis_of(a."subscribed", a."snoozedUntil", a."consentBasis") AS "consentBasis", a."consentedAt",
      a."topicDefaults", topics_by_key(a."projectId", a."topicsOn", a."topicsOff") AS "topics", a."data", a."createdAt", a."updatedAt"
    FROM "Contact" a WHERE a."projectId" = ${projectId}::uuid AND a."id" = ${contactId}::uuid`;
  return row ?? null;
}

/** What was said about email, newest first. */
export async function readActs(
  db: Db,
  { projectId, contactId, hash }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  const address = { hash: Uint8Array.from(hash), contactId: null };
  const search = contactId === null ? { projectId, address } : { projectId, contactId };
  const rows = await findActs(db, search, after === null ? null : { value: '', id: after }, limit);
  return {
    records: rows.map((row) => presentAct(row, true)),
    after: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Subscription requests, oldest first. */
export async function readRequests(
  db: Db,
  { projectId, contactId }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  if (contactId === null) return { records: [], after: null };
  const rows = await db.$queryRaw<{ place: string }[]>`
    SELECT a."id"::text AS "place", a."id", a."status", topics_by_key(a."projectId", a."topics", '{}') AS "topics", a."data", a."language", a."page",
      a."ip", a."userAgent", a."requestedAt", a."expiresAt", a."confirmedAt", a."closedAt", a."emailId"
    FROM "SubscriptionRequest" a
    WHERE a."contactId" = ${contactId}::uuid AND a."projectId" = ${projectId}::uuid AND a."id" > ${after ?? first}::uuid
    ORDER BY a."id" LIMIT ${limit}::int`;
  return pageOf(limit, rows);
}

const first = '00000000-0000-0000-0000-000000000000';

/** What recipients and mail servers did with these emails, by email, oldest first. */
export async function readInteractions(
  db: Db,
  projectId: string,
  emailIds: readonly string[],
): Promise<Map<string, Record<string, unknown>[]>> {
  const rows = await db.$queryRaw<({ emailId: string } & Record<string, unknown>)[]>`
    SELECT i."emailId"::text AS "emailId", i."type", i."at", i."link", i."detail", i."class", i."bot", i."client", i."device" FROM "Interaction" i
    WHERE i."emailId" = ANY(${[...emailIds]}::uuid[]) AND i."projectId" IS NOT DISTINCT FROM ${projectId}::uuid ORDER BY i."at", i."id"`;
  return Map.groupBy(rows, ({ emailId }) => emailId);
}

/** Events by name, each oldest first: the order of their index. */
export async function readEvents(
  db: Db,
  { projectId, contactId }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  if (contactId === null) return { records: [], after: null };
  const [name, at, id] = after === null ? [] : (JSON.parse(after) as string[]);
  const later =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (a."name", a."createdAt", a."id") > (${name}::text, ${at}::timestamptz, ${id}::uuid)`;
  const rows = await db.$queryRaw<{ place: string }[]>`
    SELECT jsonb_build_array(a."name", a."createdAt", a."id")::text AS "place", a."id", a."name", a."kind", a."data", a."emailId", a."createdAt"
    FROM "Event" a WHERE a."contactId" = ${contactId}::uuid AND a."projectId" IS NOT DISTINCT FROM ${projectId}::uuid ${later}
    ORDER BY a."name", a."createdAt", a."id" LIMIT ${limit}::int`;
  return pageOf(limit, rows);
}

/** Segments that the contact is or was a tracked or static member of. */
export async function readMemberships(
  db: Db,
  { projectId, contactId }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  if (contactId === null) return { records: [], after: null };
  const rows = await db.$queryRaw<{ place: string }[]>`
    SELECT a."segmentId"::text AS "place", a."segmentId", s."name", a."enteredAt", a."exitedAt"
    FROM "SegmentMembership" a LEFT JOIN "Segment" s ON s."id" = a."segmentId"
    WHERE a."projectId" = ${projectId}::uuid AND a."contactId" = ${contactId}::uuid AND a."segmentId" > ${after ?? first}::uuid
    ORDER BY a."segmentId" LIMIT ${limit}::int`;
  return pageOf(limit, rows);
}

/** Executions of workflows with their steps, by id. */
export async function readExecutions(
  db: Db,
  { projectId, contactId }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  if (contactId === null) return { records: [], after: null };
  const rows = await db.$queryRaw<{ place: string }[]>`
    SELECT a."id"::text AS "place", a."id", a."workflowId", w."name" AS "workflow", a."status", a."exitReason", a."context", a."startedAt", a."completedAt",
      coalesce((SELECT jsonb_agg(jsonb_build_object('stepId', e."stepId", 'status', e."status", 'output', e."output", 'error', e."error",
        'startedAt', e."startedAt", 'completedAt', e."completedAt") ORDER BY e."createdAt", e."id")
        FROM "WorkflowStepExecution" e WHERE e."executionId" = a."id"), '[]') AS "steps"
    FROM "WorkflowExecution" a LEFT JOIN "Workflow" w ON w."id" = a."workflowId"
    WHERE a."projectId" = ${projectId}::uuid AND a."contactId" = ${contactId}::uuid AND a."id" > ${after ?? first}::uuid
    ORDER BY a."id" LIMIT ${limit}::int`;
  return pageOf(limit, rows);
}

/** Webhook deliveries about the contact, by id. */
export async function readDeliveries(
  db: Db,
  { projectId, contactId }: Whom,
  after: string | null,
  limit: number,
): Promise<RecordPage> {
  if (contactId === null) return { records: [], after: null };
  const rows = await db.$queryRaw<{ place: string }[]>`
    SELECT a."id"::text AS "place", a."id", a."endpointId", w."url", a."type", a."data", a."eventAt", a."status", a."attempts", a."createdAt"
    FROM "WebhookDelivery" a LEFT JOIN "WebhookEndpoint" w ON w."id" = a."endpointId"
    WHERE a."contactId" = ${contactId}::uuid AND a."projectId" = ${projectId}::uuid AND a."id" > ${after ?? first}::uuid
    ORDER BY a."id" LIMIT ${limit}::int`;
  return pageOf(limit, rows);
}

/** Whether anything is stored of an address that no contact has. */
export async function isStored(
  db: Db,
  { projectId, hash, addresses }: { projectId: string; hash: Buffer; addresses: readonly string[] },
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ stored: boolean }[]>`
    SELECT EXISTS (SELECT FROM "OptOut" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea)
      OR EXISTS (SELECT FROM "ErasedContact" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea)
      OR EXISTS (SELECT FROM "ConsentAct" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea AND "contactId" IS NULL)
      OR EXISTS (SELECT FROM "Suppression" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${[...addresses]}::text[]))
      OR EXISTS (SELECT FROM "Email" e WHERE e."projectId" = ${projectId}::uuid AND e."to" = ANY(${[...addresses]}::text[])
        AND (e."contactId" IS NULL OR e."sourceType" = 'WORKFLOW' OR e."readdressed" OR e."toOther")) AS "stored"`;
  return row?.stored ?? false;
}
