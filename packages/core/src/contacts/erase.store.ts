import type { Db } from '../db/index.ts';
import type { Secrets } from '../kernel/index.ts';
import { hashesOf, rememberOptOuts } from './subscriptions.store.ts';

export interface Erased {
  /** contacts that existed in the project */
  found: Set<string>;
  /** campaigns with pending emails that were skipped */
  campaignIds: string[];
}

/**
 * Deletes contacts with their events, memberships and executions (behaviour B4.5). Their emails stay in all counts
 * without address, name, data and content. Pending emails are skipped; emails claimed by a worker are skipped when
 * they are settled, unless they have been sent. An opt-out is kept as a keyed hash.
 *
 * Locks contacts by email, then emails by id, then counters. Runs within the caller's transaction; each step is a
 * separate statement, so that it sees changes committed while earlier locks were awaited.
 */
export async function eraseContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  ids: readonly string[],
): Promise<Erased> {
  const rows = await db.$queryRaw<{ id: string; email: string; subscribed: boolean }[]>`
    SELECT "id", "email", "subscribed" FROM "Contact"
    WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[]) ORDER BY "email" FOR UPDATE`;
  if (rows.length === 0) return { found: new Set(), campaignIds: [] };
  const found = rows.map(({ id }) => id);
  const unsubscribed = rows.filter(({ subscribed }) => !subscribed);
  await rememberOptOuts(db, hashesOf(secrets, projectId, unsubscribed), projectId);
  const skipped = await eraseEmails(db, projectId, found);
  await eraseHistory(db, projectId, found);
  await db.$executeRaw`
    DELETE FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${found}::uuid[])`;
  await countSkipped(db, projectId, skipped);
  return { found: new Set(found), campaignIds: skipped.map(({ campaignId }) => campaignId) };
}

interface SkippedOfCampaign {
  campaignId: string;
  count: number;
}

async function eraseEmails(db: Db, projectId: string, contactIds: string[]): Promise<SkippedOfCampaign[]> {
  await db.$queryRaw`
    SELECT count(*)::int AS "locked" FROM (
      SELECT FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])
      ORDER BY "id" FOR UPDATE) AS e`;
  const skipped = await db.$queryRaw<{ campaignId: string | null; count: number }[]>`
    WITH "gone" AS (
      DELETE FROM "Delivery" d USING "Email" e
      WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = ANY(${contactIds}::uuid[])
        AND d."emailId" = e."id" AND d."token" IS NULL
      RETURNING d."emailId"
    ), "skipped" AS (
      UPDATE "Email" e SET "status" = 'SKIPPED', "reason" = 'cancelled', "error" = NULL, "updatedAt" = now()
      FROM "gone" WHERE e."id" = "gone"."emailId" AND e."status" = 'PENDING'
      RETURNING e."id", e."campaignId"
    ), "told" AS (
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "emailId")
      SELECT uuid7(), ${projectId}::uuid, 'ACTIVITY', 'email.skipped',
        jsonb_build_object('emailId', "id", 'campaignId', "campaignId", 'reason', 'cancelled'), "id"
      FROM "skipped"
    )
    SELECT "campaignId", count(*)::int AS "count" FROM "skipped" GROUP BY "campaignId"`;
  await db.$executeRaw`
    UPDATE "Email" SET "contactId" = NULL, "to" = '', "toName" = NULL, "vars" = NULL, "subject" = NULL,
      "contentClearedAt" = coalesce("contentClearedAt", now()), "updatedAt" = now()
    WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  return skipped.flatMap(({ campaignId, count }) => (campaignId === null ? [] : [{ campaignId, count }]));
}

async function eraseHistory(db: Db, projectId: string, contactIds: string[]): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "WorkflowStepExecution" s USING "WorkflowExecution" x
    WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = ANY(${contactIds}::uuid[]) AND s."executionId" = x."id"`;
  await db.$executeRaw`
    DELETE FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
  await db.$executeRaw`
    DELETE FROM "EventDispatch" d USING "Event" e
    WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = ANY(${contactIds}::uuid[]) AND d."eventId" = e."id"`;
  await db.$executeRaw`
    DELETE FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${contactIds}::uuid[])`;
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
}

async function countSkipped(db: Db, projectId: string, skipped: SkippedOfCampaign[]): Promise<void> {
  if (skipped.length === 0) return;
  await db.$executeRaw`
    UPDATE "CampaignCounter" c SET "skippedCount" = c."skippedCount" + u.count
    FROM unnest(${skipped.map(({ campaignId }) => campaignId)}::uuid[], ${skipped.map(({ count }) => count)}::int[]) AS u(id, count)
    WHERE c."projectId" = ${projectId}::uuid AND c."campaignId" = u.id`;
}
