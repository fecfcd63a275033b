import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../base/event-types/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import { forgetContacts } from '../consent/index.ts';
import { byRecipient, type OptedOut, rememberOptOuts, survives } from './subscriptions.store.ts';

/**
 * What is written about contacts that a statement has read without locking them may be committed after their erasure, which then did not
 * see it. Erasures share a lock of their project; after `awaitErasures`, each erasure has either committed or will see what was committed
 * before, and in the same transaction none runs.
 */
const erasureLock = (projectId: string): string => `erase/${projectId}`;

/** Waits for the erasures of a project that are under way, and keeps new ones waiting until the transaction ends: a short one. */
export const awaitErasures = (db: Db, projectId: string): Promise<unknown> => db.$queryRaw`
  SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock(hashtextextended(${erasureLock(projectId)}, 0))) AS locked`;

/** Keeps those waiting that write for contacts that they have read without a lock, until the transaction ends. */
export const shareErasures = (db: Db, projectId: string): Promise<unknown> => db.$queryRaw`
  SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock_shared(hashtextextended(${erasureLock(projectId)}, 0))) AS locked`;

/** How many rows were removed, or lost all that is about a person, by record. */
export type RemovedRows = Record<string, number>;

export interface Erased {
  /** contacts that existed in the project */
  found: Set<string>;
  /** campaigns with pending emails that were skipped */
  campaignIds: string[];
  removed: RemovedRows;
}

/** The sum of two, without records of which there is nothing. */
export function addRemoved(one: RemovedRows, other: RemovedRows): RemovedRows {
  const sum = { ...one };
  for (const [record, count] of Object.entries(other))
    if (count > 0) sum[record] = (sum[record] ?? 0) + count;
  return sum;
}

/**
 * Deletes contacts with their events, memberships and executions (behaviour B4.5). Their emails stay in all counts
 * without address, name, data and content. Waiting emails are skipped, or stay UNCERTAIN if an attempt may have delivered them; emails of a
 * batch that a worker holds are skipped when their results are written, unless they have been sent. An opt-out is kept as a keyed hash.
 *
 * Locks the erasures of the project, contacts by email, then delivery batches and emails by id, then counters. Runs within the caller's transaction; each step is a
 * separate statement, so that it sees changes committed while earlier locks were awaited.
 */
export async function eraseContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  ids: readonly string[],
): Promise<Erased> {
  await shareErasures(db, projectId);
  const rows = await db.$queryRaw<(OptedOut & { id: string; survives: boolean })[]>`
    SELECT c."id", c."email", ${survives} AS "survives", ${byRecipient} AS "byRecipient" FROM "Contact" c
    WHERE c."projectId" = ${projectId}::uuid AND c."id" = ANY(${[...ids]}::uuid[]) ORDER BY c."email" FOR UPDATE`;
  if (rows.length === 0) return { found: new Set(), campaignIds: [], removed: {} };
  const found = rows.map(({ id }) => id);
  await rememberOptOuts(
    db,
    secrets,
    projectId,
    rows.filter((row) => row.survives),
  );
  const consent = await forgetContacts(db, secrets, projectId, rows);
  const emails = await eraseEmails(db, projectId, ofContacts(projectId, found));
  const history = await eraseHistory(db, projectId, found);
  const contacts = await db.$executeRaw`
    DELETE FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${found}::uuid[])`;
  const campaignIds = await countSkipped(db, projectId, emails.skipped);
  const removed = { contacts, emails: emails.count, ...consent };
  return { found: new Set(found), campaignIds, removed: addRemoved(addRemoved({}, removed), history) };
}

export type ErasedTraces = Omit<Erased, 'found'>;

/** Erases what was written about contacts after their erasure, in the caller's transaction. */
export async function eraseTraces(db: Db, projectId: string, ids: readonly string[]): Promise<ErasedTraces> {
  if (ids.length === 0) return { campaignIds: [], removed: {} };
  const emails = await eraseEmails(db, projectId, ofContacts(projectId, [...ids]));
  const history = await eraseHistory(db, projectId, [...ids]);
  const campaignIds = await countSkipped(db, projectId, emails.skipped);
  return { campaignIds, removed: addRemoved(addRemoved({}, { emails: emails.count }), history) };
}

/**
 * Erases a batch of emails to an address that are not those of a contact with it: to custom addresses, copies, tests, and those that a contact
 * got at a former address. Only what was stored until `before`. In the caller's transaction.
 */
export async function eraseEmailsTo(
  db: Db,
  projectId: string,
  { addresses, before, limit }: { addresses: readonly string[]; before: Date; limit: number },
): Promise<ErasedTraces> {
  await shareErasures(db, projectId);
  // The condition of the index `Email_other_recipient`.
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id" FROM "Email" e WHERE e."projectId" = ${projectId}::uuid AND e."to" = ANY(${[...addresses]}::text[])
      AND (e."contactId" IS NULL OR e."sourceType" = 'WORKFLOW' OR e."readdressed" OR e."toOther") AND e."createdAt" <= ${before}
    LIMIT ${limit}::int`;
  if (rows.length === 0) return { campaignIds: [], removed: {} };
  const ids = rows.map(({ id }) => id);
  const { count, skipped } = await eraseEmails(db, projectId, {
    some: Prisma.sql`e."id" = ANY(${ids}::uuid[]) AND ${ofProject('e."projectId"', projectId)}`,
    all: Prisma.sql`e."id" = ANY(${ids}::uuid[]) AND ${ofProject('e."projectId"', projectId)}`,
  });
  return { campaignIds: await countSkipped(db, projectId, skipped), removed: { emails: count } };
}

interface SkippedRow {
  campaignId: string | null;
  skipped: number;
  /** waited after a retry of the campaign, and return to UNCERTAIN */
  uncertain: number;
}

type SkippedOfCampaign = SkippedRow & { campaignId: string };

/** Emails as conditions on `"Email" e`. */
interface Emails {
  /** with another condition, by which they can be found */
  some: Prisma.Sql;
  /** alone */
  all: Prisma.Sql;
}

const ofContacts = (projectId: string, contactIds: string[]): Emails => ({
  some: Prisma.sql`e."contactId" = ANY(${contactIds}::uuid[]) AND ${ofProject('e."projectId"', projectId)}`,
  all: Prisma.sql`e."projectId" = ${projectId}::uuid AND e."contactId" = ANY(${contactIds}::uuid[])`,
});

/** In days: requests share a content for a week, and one more day allows for clock differences (decision 003). */
const shared = 8;

/**
 * Marks the texts that the emails of these contacts were made from. Others may have got the same, or get it while requests share it, so
 * the sweep decides at the end of that time. Contents of campaigns belong to the campaign.
 */
const markContents = (db: Db, emails: Emails): Promise<unknown> => db.$executeRaw`
  WITH "locked" AS MATERIALIZED (
    SELECT "id" FROM "Content" WHERE "eraseAt" IS NULL AND "id" = ANY(ARRAY(
      SELECT DISTINCT e."contentId" FROM "Email" e WHERE ${emails.all} AND e."campaignId" IS NULL))
    ORDER BY "id" FOR UPDATE
  )
  UPDATE "Content" c SET "eraseAt" = c."createdAt" + ${shared}::int * interval '1 day' FROM "locked" l WHERE c."id" = l."id"`;

async function eraseEmails(
  db: Db,
  projectId: string,
  emails: Emails,
): Promise<{ count: number; skipped: SkippedOfCampaign[] }> {
  // No claim takes these batches before the end of the transaction. Emails that join another batch in the meantime are skipped by its claim.
  const waiting = await db.$queryRaw<{ id: string }[]>`
    SELECT b."id" FROM "DeliveryBatch" b
    WHERE b."token" IS NULL AND b."id" IN (
      SELECT e."batchId" FROM "Email" e
      WHERE ${emails.some} AND e."batchId" IS NOT NULL)
    ORDER BY b."id" FOR SHARE`;
  const [locked] = await db.$queryRaw<{ copies: string[] | null }[]>`
    SELECT array_agg(e."id"::text) FILTER (WHERE e."recipientType" IS NOT NULL) AS "copies" FROM (
      SELECT e."id", e."recipientType" FROM "Email" e WHERE ${emails.all} ORDER BY e."id" FOR UPDATE) AS e`;
  // The texts of bounces, deferrals and replies name the recipient. With the emails locked, no answer adds another one.
  await db.$executeRaw`
    UPDATE "Interaction" i SET "detail" = NULL FROM "Email" e
    WHERE ${emails.some} AND i."emailId" = e."id" AND i."detail" IS NOT NULL`;
  await eraseCopies(db, projectId, locked?.copies ?? []);
  const skipped = await db.$queryRaw<SkippedRow[]>`
    WITH "gone" AS (
      -- Without the address, which the webhooks about it would have.
      UPDATE "Email" e SET "batchId" = NULL, "to" = '',
        "status" = CASE WHEN e."uncertainAt" IS NULL THEN 'SKIPPED'::"EmailStatus" ELSE 'UNCERTAIN' END,
        "reason" = CASE WHEN e."uncertainAt" IS NULL THEN 'cancelled' END,
        "error" = CASE WHEN e."uncertainAt" IS NULL THEN NULL ELSE e."error" END, "updatedAt" = now()
      WHERE ${emails.some} AND e."batchId" = ANY(${waiting.map(({ id }) => id)}::uuid[]) AND e."status" IN ('PENDING', 'UNCERTAIN')
      RETURNING e."id", e."campaignId", e."status", e."messageId", e."templateId", e."sourceType", e."contentId", e."tags"
    ), "told" AS (
      ${insertEvents}
      ${eventRow({
        ...storedAs('email.skipped'),
        projectId: Prisma.sql`${projectId}::uuid`,
        // Its own subject and its metadata can name the person.
        data: Prisma.sql`email_facts("id", NULL, "messageId", "templateId", "campaignId", "sourceType", "contentId")
          || email_labels("tags", NULL) || '{"error": null, "reason": "cancelled"}'`,
        contactId: Prisma.sql`NULL::uuid`,
        emailId: Prisma.sql`"id"`,
      })}
      FROM "gone" WHERE "status" = 'SKIPPED'
    )
    SELECT "campaignId", count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS "skipped",
      count(*) FILTER (WHERE "status" = 'UNCERTAIN')::int AS "uncertain"
    FROM "gone" GROUP BY "campaignId"`;
  await markContents(db, emails);
  await db.$executeRaw`
    DELETE FROM "MessageSource" s USING "Email" e WHERE ${emails.some} AND s."emailId" = e."id"`;
  // The replies of mail servers name the recipient.
  const count = await db.$executeRaw`
    UPDATE "Email" e SET "contactId" = NULL, "to" = '', "toName" = NULL, "vars" = NULL, "subject" = NULL, "error" = NULL, "metadata" = NULL,
      "diagnosis" = e."diagnosis" || '{"text": null}',
      "contentClearedAt" = coalesce(e."contentClearedAt", now()), "updatedAt" = now()
    WHERE ${emails.all}`;
  const ofCampaigns = skipped.flatMap(({ campaignId, ...counts }) =>
    campaignId === null ? [] : [{ campaignId, ...counts }],
  );
  return { count, skipped: ofCampaigns };
}

/** What was told of copies belongs to no contact: it is found by their emails, which are locked. */
async function eraseCopies(db: Db, projectId: string, copies: string[]): Promise<void> {
  if (copies.length === 0) return;
  await db.$executeRaw`
    DELETE FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "emailId" = ANY(${copies}::uuid[]) AND "contactId" IS NULL`;
  await db.$executeRaw`
    DELETE FROM "WebhookDelivery" WHERE "projectId" = ${projectId}::uuid AND "copyId" = ANY(${copies}::uuid[])`;
}

async function eraseHistory(db: Db, projectId: string, contactIds: string[]): Promise<RemovedRows> {
  const executions = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM unnest(${contactIds}::uuid[]) AS k("id") CROSS JOIN LATERAL (
      SELECT "id" FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "contactId" = k."id" OFFSET 0) x`;
  const executionIds = executions.map(({ id }) => id);
  await db.$executeRaw`DELETE FROM "WorkflowStepExecution" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "StepRequest" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "ExecutionConversion" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
  const gone =
    await db.$executeRaw`DELETE FROM "WorkflowExecution" WHERE "id" = ANY(${executionIds}::uuid[])`;
  // That a goal was reached stays in its figures; by whom does not.
  await db.$executeRaw`
    UPDATE "Conversion" SET "contactId" = NULL WHERE "contactId" = ANY(${contactIds}::uuid[]) AND ${ofProject('"projectId"', projectId)}`;
  await db.$executeRaw`
    DELETE FROM "WorkflowEntry" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "WorkflowDue" WHERE "contactId" = ANY(${contactIds}::uuid[]) AND "projectId" = ${projectId}::uuid`;
  await db.$executeRaw`
    DELETE FROM "EventDispatch" d USING "Event" e
    WHERE ${ofProject('e."projectId"', projectId)} AND e."contactId" = ANY(${contactIds}::uuid[]) AND d."eventId" = e."id"`;
  const events = await db.$executeRaw`
    DELETE FROM "Event" WHERE ${ofProject('"projectId"', projectId)} AND "contactId" = ANY(${contactIds}::uuid[])`;
  const webhookDeliveries =
    await db.$executeRaw`DELETE FROM "WebhookDelivery" WHERE "contactId" = ANY(${contactIds}::uuid[]) AND "projectId" = ${projectId}::uuid`;
  // Segments first: a computation holds the segment's row while it writes memberships and moments.
  await db.$queryRaw`
    SELECT "id" FROM "Segment" WHERE "id" IN (
      SELECT "segmentId" FROM "SegmentMembership"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      UNION SELECT "segmentId" FROM "SegmentDue"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])) ORDER BY "id" FOR UPDATE`;
  await db.$executeRaw`
    DELETE FROM "SegmentDue" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  const [left] = await db.$queryRaw<{ memberships: number }[]>`
    WITH "left" AS (
      DELETE FROM "SegmentMembership" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      RETURNING "segmentId", "exitedAt"
    ), "counted" AS (
      UPDATE "Segment" s SET "memberCount" = greatest(0, s."memberCount" - l."count")
      FROM (SELECT "segmentId", count(*)::int AS "count" FROM "left" WHERE "exitedAt" IS NULL GROUP BY "segmentId") l
      WHERE s."id" = l."segmentId"
    )
    SELECT count(*)::int AS "memberships" FROM "left"`;
  await db.$executeRaw`
    DELETE FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  await db.$executeRaw`
    DELETE FROM "ContactLimit" WHERE "contactId" IN (
      SELECT "contactId" FROM "ContactLimit" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      ORDER BY "contactId" FOR UPDATE)`;
  return { executions: gone, events, webhookDeliveries, memberships: left?.memberships ?? 0 };
}

/** @returns the campaigns whose counters changed */
async function countSkipped(db: Db, projectId: string, rows: SkippedOfCampaign[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
  await db.$executeRaw`
    WITH counted AS (
      UPDATE "CampaignCounter" c SET "skippedCount" = c."skippedCount" + u.skipped, "uncertainCount" = c."uncertainCount" + u.uncertain
      FROM unnest(${sorted.map(({ campaignId }) => campaignId)}::uuid[], ${sorted.map(({ skipped }) => skipped)}::int[],
        ${sorted.map(({ uncertain }) => uncertain)}::int[]) AS u(id, skipped, uncertain)
      WHERE c."projectId" = ${projectId}::uuid AND c."campaignId" = u.id
      RETURNING u.id, u.skipped
    )
    INSERT INTO "CampaignSkip" ("campaignId", "reason", "count")
    SELECT id, 'cancelled', skipped FROM counted WHERE skipped <> 0
    ON CONFLICT ("campaignId", "reason") DO UPDATE SET "count" = "CampaignSkip"."count" + excluded."count"`;
  return rows.map(({ campaignId }) => campaignId);
}
