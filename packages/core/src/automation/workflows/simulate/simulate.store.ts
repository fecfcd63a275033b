import { byRecipient } from '../../../audience/contacts/index.ts';
import { Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { ContactLimits } from '../../../people/projects/contact-limits.schema.ts';
import { bytesOf, mostBytes } from '../runtime/set.store.ts';

type Json = Record<string, unknown>;

/** Keeps a second simulation of a workflow out until the transaction ends, in any process. @returns whether there is none */
export async function holdSimulation(db: SqlDb, workflowId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ held: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('simulation ' || ${workflowId}::text, 0)) AS "held"`;
  return row?.held ?? false;
}

/** The order in which contacts are drawn: the same for a seed, and another for the next. */
const drawn = (contactId: Prisma.Sql, seed: number): Prisma.Sql =>
  Prisma.sql`hashtextextended(${contactId}::text, ${seed}::bigint), ${contactId}`;

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export const everything = Prisma.sql`true`;

/** Whom a schedule without a segment enters. */
export const subscribers = Prisma.sql`c."subscribed"`;

/** @param matches a condition on the contact `c` */
export const drawContacts = async (
  db: SqlDb,
  projectId: string,
  matches: Prisma.Sql,
  { seed, limit }: { seed: number; limit: number },
): Promise<string[]> =>
  idsOf(
    await db.$queryRaw<{ id: string }[]>`
      SELECT c."id" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${matches}
      ORDER BY ${drawn(Prisma.sql`c."id"`, seed)} LIMIT ${limit}::int`,
  );

export interface Span {
  from: Date;
  to: Date;
}

/** Which events enter contacts. */
export interface TakenEvents {
  names: readonly string[];
  /** of their data */
  joins: Prisma.Sql;
  matches: Prisma.Sql;
}

/** Contacts of such events that match a filter. */
export const drawTriggered = async (
  db: SqlDb,
  projectId: string,
  { names, joins, matches, filter }: TakenEvents & { filter: Prisma.Sql },
  { from, to }: Span,
  { seed, limit }: { seed: number; limit: number },
): Promise<string[]> =>
  idsOf(
    await db.$queryRaw<{ id: string }[]>`
      SELECT t."id" FROM (
        SELECT DISTINCT e."contactId" AS "id" FROM "Event" e${joins}
        WHERE e."projectId" = ${projectId}::uuid AND e."name" = ANY(${[...names]}::text[]) AND e."createdAt" >= ${from} AND e."createdAt" <= ${to}
          AND e."kind" <> 'ACTIVITY' AND e."contactId" IS NOT NULL AND ${matches}) t
      WHERE EXISTS (SELECT FROM "Contact" c WHERE c."id" = t."id" AND c."projectId" = ${projectId}::uuid AND ${filter})
      ORDER BY ${drawn(Prisma.sql`t."id"`, seed)} LIMIT ${limit}::int`,
  );

/** Contacts whose executions of a workflow began. */
export const drawStarted = async (
  db: SqlDb,
  { projectId, workflowId }: WorkflowOf,
  { from, to }: Span,
  { seed, limit }: { seed: number; limit: number },
): Promise<string[]> =>
  idsOf(
    await db.$queryRaw<{ id: string }[]>`
      SELECT t."id" FROM (
        SELECT DISTINCT x."contactId" AS "id" FROM "WorkflowExecution" x
        WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = ${workflowId}::uuid AND x."createdAt" >= ${from} AND x."createdAt" <= ${to}) t
      ORDER BY ${drawn(Prisma.sql`t."id"`, seed)} LIMIT ${limit}::int`,
  );

export interface WorkflowOf {
  projectId: string;
  workflowId: string;
}

export interface PersonRow {
  id: string;
  email: string;
  subscribed: boolean;
  isSnoozed: boolean;
  /** its opt-out or pause is the recipient's */
  isOwn: boolean;
  data: Json;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Contacts in the order of their ids here, as far as they fit into the memory of a set; one at least.
 *
 * @returns also how many ids it has passed: those of deleted contacts are left out
 */
export async function readPeople(
  db: SqlDb,
  projectId: string,
  ids: readonly string[],
): Promise<{ people: PersonRow[]; passed: number }> {
  const rows = await db.$queryRaw<(PersonRow & { place: number })[]>`
    SELECT x."id", x."email", x."subscribed", x."isSnoozed", x."isOwn", x."data", x."createdAt", x."updatedAt", x."place" FROM (
      SELECT c."id", c."email", c."subscribed", c."snoozedUntil" IS NOT NULL AS "isSnoozed", ${byRecipient} AS "isOwn", c."data", c."createdAt", c."updatedAt", k."place"::int AS "place",
        row_number() OVER w AS "n", sum(coalesce(${bytesOf('c."data"')}, 0)) OVER w AS "sum"
      FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS k("id", "place")
      JOIN "Contact" c ON c."id" = k."id" AND c."projectId" = ${projectId}::uuid
      WINDOW w AS (ORDER BY k."place" ROWS UNBOUNDED PRECEDING)
    ) x WHERE x."n" = 1 OR x."sum" <= ${mostBytes}::int ORDER BY x."place"`;
  const lastPlace = rows.at(-1)?.place ?? ids.length;
  // Nothing is known of those behind the last one that fits: they may be deleted, or too large.
  const passed = rows.length === 0 ? ids.length : lastPlace;
  return { people: rows.map(({ place: _, ...row }) => row), passed };
}

interface EntryRow {
  contactId: string;
  at: Date;
  eventId: string | null;
  context: Json | null;
}

/** Events by which contacts would enter, the first `most` of each in the order of their times. */
export const entriesByEvents = (
  db: SqlDb,
  projectId: string,
  contactIds: readonly string[],
  { names, joins, matches }: TakenEvents,
  { from, to }: Span,
  most: number,
): Promise<EntryRow[]> => db.$queryRaw<EntryRow[]>`
  SELECT k."id" AS "contactId", e."createdAt" AS "at", e."id" AS "eventId", NULL::jsonb AS "context"
  FROM unnest(${[...contactIds]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
    SELECT e."id", e."createdAt" FROM "Event" e${joins}
    WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = k."id" AND e."name" = ANY(${[...names]}::text[]) AND e."kind" <> 'ACTIVITY'
      AND e."createdAt" >= ${from} AND e."createdAt" <= ${to} AND ${matches}
    ORDER BY e."createdAt", e."id" LIMIT ${most}::int) e
  ORDER BY k."id", e."createdAt", e."id"`;

/** Executions that began, with their contexts as they are now. */
export const entriesByStarts = (
  db: SqlDb,
  { projectId, workflowId }: WorkflowOf,
  contactIds: readonly string[],
  { from, to }: Span,
  most: number,
): Promise<EntryRow[]> => db.$queryRaw<EntryRow[]>`
  SELECT k."id" AS "contactId", x."startedAt" AS "at", x."sourceEventId" AS "eventId", x."context"
  FROM unnest(${[...contactIds]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
    SELECT x."startedAt", x."sourceEventId", x."context" FROM "WorkflowExecution" x
    WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = k."id" AND x."workflowId" = ${workflowId}::uuid
      AND x."createdAt" >= ${from} AND x."createdAt" <= ${to}
    ORDER BY x."createdAt", x."id" LIMIT ${most}::int) x
  ORDER BY k."id", x."startedAt"`;

/** What is known of earlier entries of a contact. */
export interface EarlierEntries {
  contactId: string;
  /** executions that are stored */
  count: number;
  /** when the last one began, and until when it went on; null: it still does */
  startedAt: Date;
  until: Date | null;
}

/** Of contacts that entered the workflow before a time. */
export const enteredBefore = (
  db: SqlDb,
  { projectId, workflowId }: WorkflowOf,
  contactIds: readonly string[],
  before: Date,
): Promise<EarlierEntries[]> => db.$queryRaw`
  SELECT k."id" AS "contactId", x."until", x."startedAt", x."count" FROM unnest(${[...contactIds]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
    SELECT CASE WHEN x."status" IN ('RUNNING', 'WAITING') THEN NULL ELSE coalesce(x."completedAt", x."updatedAt") END AS "until", x."startedAt",
      count(*) OVER ()::int AS "count"
    FROM "WorkflowExecution" x
    WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = k."id" AND x."workflowId" = ${workflowId}::uuid AND x."createdAt" < ${before}
    ORDER BY x."createdAt" DESC LIMIT 1) x`;

/** The data of events, as the context of executions has it. */
export async function readContexts(
  db: SqlDb,
  projectId: string,
  eventIds: readonly string[],
): Promise<Map<string, Json>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; data: Json }[]>`
    SELECT "id", CASE WHEN jsonb_typeof("data") = 'object' THEN "data" ELSE '{}' END AS "data" FROM "Event"
    WHERE "id" = ANY(${[...eventIds]}::uuid[]) AND "projectId" = ${projectId}::uuid`;
  return new Map(rows.map(({ id, data }) => [id, data]));
}

/** What steps answered last to contacts, by `<step id>/<contact id>`. */
export async function readLastAnswers(
  db: SqlDb,
  { projectId, workflowId }: WorkflowOf,
  stepIds: readonly string[],
  contactIds: readonly string[],
): Promise<Map<string, Json>> {
  if (stepIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ stepId: string; contactId: string; output: Json }[]>`
    SELECT t."id" AS "stepId", k."id" AS "contactId", s."output"
    FROM unnest(${[...contactIds]}::uuid[]) AS k("id") CROSS JOIN unnest(${[...stepIds]}::uuid[]) AS t("id")
    CROSS JOIN LATERAL (
      SELECT s."output" FROM "WorkflowExecution" x JOIN "WorkflowStepExecution" s ON s."executionId" = x."id" AND s."stepId" = t."id"
      WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = k."id" AND x."workflowId" = ${workflowId}::uuid
        AND s."status" IN ('COMPLETED', 'FAILED') AND jsonb_typeof(s."output") = 'object'
      ORDER BY s."completedAt" DESC LIMIT 1) s`;
  return new Map(rows.map(({ stepId, contactId, output }) => [`${stepId}/${contactId}`, output]));
}

/** The limits per contact of a project; null without any. */
export async function readLimits(db: SqlDb, projectId: string): Promise<ContactLimits | null> {
  const [row] = await db.$queryRaw<{ limits: ContactLimits | null }[]>`
    SELECT "contactLimits" AS "limits" FROM "Project" WHERE "id" = ${projectId}::uuid`;
  return row?.limits ?? null;
}

/** When emails took slots of contacts, in milliseconds since 1970, until a time. */
export async function readSlots(
  db: SqlDb,
  projectId: string,
  contactIds: readonly string[],
  until: Date,
): Promise<Map<string, number[]>> {
  const rows = await db.$queryRaw<{ id: string; times: number[] }[]>`
    SELECT l."contactId" AS "id", ARRAY(
      SELECT s.value::float8 FROM jsonb_each_text(l."sent") AS s WHERE s.value::float8 < ${until.getTime()}::float8 ORDER BY 1) AS "times"
    FROM "ContactLimit" l WHERE l."contactId" = ANY(${[...contactIds]}::uuid[]) AND l."projectId" = ${projectId}::uuid`;
  return new Map(rows.map(({ id, times }) => [id, times]));
}
