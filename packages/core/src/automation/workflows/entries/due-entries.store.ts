import { constant, ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { TriggerConfig } from '../triggers/trigger.rules.ts';
import type { TriggerType } from '../triggers/triggers.schema.ts';

/** Contacts that enter a workflow at a time (`WorkflowDue`): by an occurrence of their date, or because they are new. */

/** The latest that an occurrence enters, for a service that was down. */
export const lateHours = 24;

/** A pass over all contacts begins when what is known of the future is less than this. */
export const refillHours = 2;

/** A contact whose time has come. */
export interface DueEntry {
  contactId: string;
  at: Date;
  /** of an occurrence, `YYYY-MM-DD` */
  day: string | null;
  /** of a new contact; with neither its next occurrence is to be looked for */
  source: string | null;
  now: Date;
}

/** Takes due contacts of a workflow, oldest first; other processes get others. */
export const takeDueEntries = (
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  limit: number,
): Promise<DueEntry[]> => db.$queryRaw<DueEntry[]>`
  WITH "taken" AS (
    DELETE FROM "WorkflowDue" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "WorkflowDue" WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid AND "at" <= clock_timestamp()
      ORDER BY "at" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
    RETURNING "contactId", "at", "day", "source"
  )
  SELECT "contactId"::text AS "contactId", "at", "day"::text AS "day", "source", now() AS "now" FROM "taken" ORDER BY "contactId"`;

/** A workflow whose contacts enter at a time. */
export interface EntryWorkflow {
  id: string;
  projectId: string;
  enabled: boolean;
  triggerType: TriggerType;
  triggerConfig: TriggerConfig;
  entry: unknown;
  allowReentry: boolean;
  version: number | null;
  triggerStepId: string | null;
  triggersSince: Date | null;
  projectStopped: boolean;
  /** of contacts without one */
  timeZone: string;
  /** to when the occurrences of its contacts are known */
  datesTo: Date | null;
  /** where a pass over its contacts is */
  datesAfter: DatePass | null;
  /** the zone of contacts without one that it was made with */
  datesZone: string | null;
  now: Date;
}

/** A pass over the contacts of a project, for the occurrences of a period. */
export interface DatePass {
  /** milliseconds since 1970: the occurrences after `from` until `to` */
  from: number;
  to: number;
  createdAt: string | null;
  id: string | null;
}

/** Holds the workflow against edits until the transaction ends. @returns null once it is deleted, or, for `pass`, while another process makes one */
export async function holdEntryWorkflow(
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  purpose: 'enter' | 'pass',
): Promise<EntryWorkflow | null> {
  const lock = constant(purpose === 'enter' ? 'FOR KEY SHARE OF w' : 'FOR NO KEY UPDATE OF w SKIP LOCKED');
  const [row] = await db.$queryRaw<EntryWorkflow[]>`
    SELECT w."id", w."projectId", w."enabled", w."triggerType"::text AS "triggerType", w."triggerConfig", w."entry", w."allowReentry", w."version",
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER') AS "triggerStepId",
      w."triggersSince", p."disabled" OR p."deletedAt" IS NOT NULL AS "projectStopped", coalesce(w."timeZone", p."timezone") AS "timeZone",
      w."datesTo", w."datesAfter", w."datesZone", now() AS "now"
    FROM "Workflow" w CROSS JOIN LATERAL (SELECT * FROM "Project" WHERE "id" = ${projectId}::uuid OFFSET 0) p
    WHERE w."id" = ${workflowId}::uuid AND ${ofProject('w."projectId"', projectId)} ${lock}`;
  return row ?? null;
}

/** What of a contact decides about its occurrences. */
export interface DatedContact {
  id: string;
  value: unknown;
  timezone: unknown;
  updatedAt: string;
}

const datedColumns = (
  key: string,
): Prisma.Sql => Prisma.sql`c."id"::text AS "id", c."data" -> ${key}::text AS "value", c."data" -> 'timezone' AS "timezone",
  c."updatedAt"::text AS "updatedAt"`;

/** Contacts by their keys; those that are gone are left out. */
export const readDated = (
  db: SqlDb,
  projectId: string,
  key: string,
  ids: readonly string[],
): Promise<DatedContact[]> => db.$queryRaw<DatedContact[]>`
  SELECT d.* FROM unnest(${[...ids]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
    SELECT ${datedColumns(key)} FROM "Contact" c WHERE c."id" = k."id" AND ${ofProject('c."projectId"', projectId)} OFFSET 0) d`;

/**
 * The next contacts of a project in the order of their creation, of which those are returned that have a date with one of these beginnings.
 *
 * @param part.beginnings days, or `MM-DD` for those of any year
 * @returns the last contact of the part; null after the last part
 */
export async function readDatedPart(
  db: SqlDb,
  projectId: string,
  { key, yearly, beginnings, after, limit }: DatedPart,
): Promise<{ contacts: DatedContact[]; next: { createdAt: string; id: string } | null }> {
  const beyond =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const written = Prisma.sql`c."data" ->> ${key}::text`;
  const beginning = yearly ? Prisma.sql`substr(${written}, 6, 5)` : Prisma.sql`left(${written}, 10)`;
  const [row] = await db.$queryRaw<
    { contacts: DatedContact[]; seen: number; createdAt: string | null; id: string | null }[]
  >`
    WITH "part" AS MATERIALIZED (
      SELECT c."id", c."createdAt", c."updatedAt", c."data" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid ${beyond}
      ORDER BY c."createdAt", c."id" LIMIT ${limit}::int)
    SELECT coalesce((SELECT jsonb_agg(to_jsonb(d)) FROM (
        SELECT ${datedColumns(key)} FROM "part" c WHERE ${beginning} = ANY(${[...beginnings]}::text[])) d), '[]') AS "contacts",
      (SELECT count(*)::int FROM "part") AS "seen", l."createdAt"::text AS "createdAt", l."id"::text AS "id"
    FROM (SELECT) one LEFT JOIN (SELECT "createdAt", "id" FROM "part" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) l ON true`;
  if (!row) throw new Error('looking at dates gave no row');
  const { contacts, seen, createdAt, id } = row;
  return { contacts, next: seen < limit || createdAt === null || id === null ? null : { createdAt, id } };
}

export interface DatedPart {
  key: string;
  yearly: boolean;
  beginnings: readonly string[];
  after: { createdAt: string; id: string } | null;
  limit: number;
}

export interface NewDueEntry {
  contactId: string;
  at: number;
  day: string;
  /** as it was read */
  updatedAt: string;
}

/**
 * Notes occurrences. A contact that has changed since it was read is left out: its change has its next occurrence looked for. What is due
 * already stays.
 */
export async function writeDueEntries(
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  entries: readonly NewDueEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const given = entries.map(({ at, ...entry }) => ({ ...entry, at: new Date(at) }));
  await db.$executeRaw`
    INSERT INTO "WorkflowDue" AS d ("workflowId", "contactId", "projectId", "at", "day")
    SELECT ${workflowId}::uuid, c."id", ${projectId}::uuid, g."at", g."day"
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g("contactId" uuid, "at" timestamptz, "day" date, "updatedAt" timestamptz)
    CROSS JOIN LATERAL (
      SELECT c."id" FROM "Contact" c WHERE c."id" = g."contactId" AND ${ofProject('c."projectId"', projectId)} AND c."updatedAt" = g."updatedAt"
      FOR KEY SHARE) c
    ORDER BY c."id"
    ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "at" = excluded."at", "day" = excluded."day"
    WHERE d."day" IS NOT NULL AND d."at" > now()`;
}

export async function saveDatePass(
  db: SqlDb,
  workflowId: string,
  {
    datesTo,
    datesAfter,
    datesZone,
  }: { datesTo: Date | null; datesAfter: DatePass | null; datesZone: string },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Workflow" SET "datesTo" = coalesce(${datesTo}::timestamptz, "datesTo"),
      "datesAfter" = ${datesAfter === null ? null : JSON.stringify(datesAfter)}::jsonb, "datesZone" = ${datesZone}
    WHERE "id" = ${workflowId}::uuid`;
}
