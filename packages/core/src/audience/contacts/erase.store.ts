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

export interface Erased {
  /** contacts that existed in the project */
  found: Set<string>;
  /** campaigns with pending emails that were skipped */
  campaignIds: string[];
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
  if (rows.length === 0) return { found: new Set(), campaignIds: [] };
  const found = rows.map(({ id }) => id);
  await rememberOptOuts(
    db,
    secrets,
    projectId,
    rows.filter((row) => row.survives),
  );
  await forgetContacts(db, secrets, projectId, rows);
  const skipped = await eraseEmails(db, projectId, found);
  await eraseHistory(db, projectId, found);
  await db.$executeRaw`
    DELETE FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${found}::uuid[])`;
  await countSkipped(db, projectId, skipped);
  return { found: new Set(found), campaignIds: skipped.map(({ campaignId }) => campaignId) };
}

/** Erases what was written about contacts after their erasure, in the caller's transaction. */
export async function eraseTraces(db: Db, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const skipped = await eraseEmails(db, projectId, [...ids]);
  await eraseHistory(db, projectId, [...ids]);
  await countSkipped(db, projectId, skipped);
}

interface SkippedRow {
  campaignId: string | null;
  skipped: number;
  /** waited after a retry of the campaign, and return to UNCERTAIN */
  uncertain: number;
}

type SkippedOfCampaign = SkippedRow & { campaignId: string };

/** In days: requests share a content for a week, and one more day allows for clock differences (decision 003). */
const shared = 8;

/**
 * Marks the texts that the emails of these contacts were made from. Others may have got the same, or get it while requests share it, so
 * the sweep decides at the end of that time. Contents of campaigns belong to the campaign.
 */
const markContents = (db: Db, projectId: string, contactIds: string[]): Promise<unknown> => db.$executeRaw`
  WITH "locked" AS MATERIALIZED (
    SELECT "id" FROM "Content" WHERE "eraseAt" IS NULL AND "id" = ANY(ARRAY(
      SELECT DISTINCT "contentId" FROM "Email"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[]) AND "campaignId" IS NULL))
    ORDER BY "id" FOR UPDATE
  )
  UPDATE "Content" c SET "eraseAt" = c."createdAt" + ${shared}::int * interval '1 day' FROM "locked" l WHERE c."id" = l."id"`;

async function eraseEmails(db: Db, projectId: string, contactIds: string[]): Promise<SkippedOfCampaign[]> {
  // No claim takes these batches before the end of the transaction. Emails that join another batch in the meantime are skipped by its claim.
  const waiting = await db.$queryRaw<{ id: string }[]>`
    SELECT b."id" FROM "DeliveryBatch" b
    WHERE b."token" IS NULL AND b."id" IN (
      SELECT e."batchId" FROM "Email" e
      WHERE ${ofProject('e."projectId"', projectId)} AND e."contactId" = ANY(${contactIds}::uuid[]) AND e."batchId" IS NOT NULL)
    ORDER BY b."id" FOR SHARE`;
  const [locked] = await db.$queryRaw<{ copies: string[] | null }[]>`
    SELECT array_agg(e."id"::text) FILTER (WHERE e."recipientType" IS NOT NULL) AS "copies" FROM (
      SELECT "id", "recipientType" FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      ORDER BY "id" FOR UPDATE) AS e`;
  // The texts of bounces, deferrals and replies name the recipient. With the emails locked, no answer adds another one.
  await db.$executeRaw`
    UPDATE "Interaction" i SET "detail" = NULL FROM "Email" e
    WHERE ${ofProject('e."projectId"', projectId)} AND e."contactId" = ANY(${contactIds}::uuid[]) AND i."emailId" = e."id" AND i."detail" IS NOT NULL`;
  await eraseCopies(db, projectId, locked?.copies ?? []);
  const skipped = await db.$queryRaw<SkippedRow[]>`
    WITH "gone" AS (
      -- Without the address, which the webhooks about it would have.
      UPDATE "Email" e SET "batchId" = NULL, "to" = '',
        "status" = CASE WHEN e."uncertainAt" IS NULL THEN 'SKIPPED'::"EmailStatus" ELSE 'UNCERTAIN' END,
        "reason" = CASE WHEN e."uncertainAt" IS NULL THEN 'cancelled' END,
        "error" = CASE WHEN e."uncertainAt" IS NULL THEN NULL ELSE e."error" END, "updatedAt" = now()
      WHERE ${ofProject('e."projectId"', projectId)} AND e."contactId" = ANY(${contactIds}::uuid[])
        AND e."batchId" = ANY(${waiting.map(({ id }) => id)}::uuid[]) AND e."status" IN ('PENDING', 'UNCERTAIN')
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
  await markContents(db, projectId, contactIds);
  await db.$executeRaw`
    DELETE FROM "MessageSource" s USING "Email" e
    WHERE ${ofProject('e."projectId"', projectId)} AND e."contactId" = ANY(${contactIds}::uuid[]) AND s."emailId" = e."id"`;
  // The replies of mail servers name the recipient.
  await db.$executeRaw`
    UPDATE "Email" SET "contactId" = NULL, "to" = '', "toName" = NULL, "vars" = NULL, "subject" = NULL, "error" = NULL, "metadata" = NULL,
      "diagnosis" = "diagnosis" || '{"text": null}',
      "contentClearedAt" = coalesce("contentClearedAt", now()), "updatedAt" = now()
    WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  return skipped.flatMap(({ campaignId, ...counts }) =>
    campaignId === null ? [] : [{ campaignId, ...counts }],
  );
}

/** What was told of copies belongs to no contact: it is found by their emails, which are locked. */
async function eraseCopies(db: Db, projectId: string, copies: string[]): Promise<void> {
  if (copies.length === 0) return;
  await db.$executeRaw`
    DELETE FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "emailId" = ANY(${copies}::uuid[]) AND "contactId" IS NULL`;
  await db.$executeRaw`
    DELETE FROM "WebhookDelivery" WHERE "projectId" = ${projectId}::uuid AND "copyId" = ANY(${copies}::uuid[])`;
}

async function eraseHistory(db: Db, projectId: string, contactIds: string[]): Promise<void> {
  const executions = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM unnest(${contactIds}::uuid[]) AS k("id") CROSS JOIN LATERAL (
      SELECT "id" FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "contactId" = k."id" OFFSET 0) x`;
  const executionIds = executions.map(({ id }) => id);
  await db.$executeRaw`DELETE FROM "WorkflowStepExecution" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "StepRequest" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "ExecutionConversion" WHERE "executionId" = ANY(${executionIds}::uuid[])`;
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
  await db.$executeRaw`
    DELETE FROM "Event" WHERE ${ofProject('"projectId"', projectId)} AND "contactId" = ANY(${contactIds}::uuid[])`;
  await db.$executeRaw`DELETE FROM "WebhookDelivery" WHERE "contactId" = ANY(${contactIds}::uuid[]) AND "projectId" = ${projectId}::uuid`;
  // Segments first: a computation holds the segment's row while it writes memberships.
  await db.$queryRaw`
    SELECT "id" FROM "Segment" WHERE "id" IN (
      SELECT "segmentId" FROM "SegmentMembership"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])) ORDER BY "id" FOR UPDATE`;
  await db.$executeRaw`
    WITH "left" AS (
      DELETE FROM "SegmentMembership" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      RETURNING "segmentId", "exitedAt"
    )
    UPDATE "Segment" s SET "memberCount" = greatest(0, s."memberCount" - l."count")
    FROM (SELECT "segmentId", count(*)::int AS "count" FROM "left" WHERE "exitedAt" IS NULL GROUP BY "segmentId") l
    WHERE s."id" = l."segmentId"`;
  await db.$executeRaw`
    DELETE FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  await db.$executeRaw`
    DELETE FROM "ContactLimit" WHERE "contactId" IN (
      SELECT "contactId" FROM "ContactLimit" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      ORDER BY "contactId" FOR UPDATE)`;
}

async function countSkipped(db: Db, projectId: string, rows: SkippedOfCampaign[]): Promise<void> {
  if (rows.length === 0) return;
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
}
