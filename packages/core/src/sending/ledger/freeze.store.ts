import { constant, type Db, Prisma } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';
import { type Audience, audienceSql, isInvalid, isSuppressed } from './audience.store.ts';
import { isOutsideSandbox } from './sandbox.ts';

export interface FreezeRequest extends Audience {
  campaignId: string;
  contentId: string;
  templateId: string | null;
  /** null for the sandbox sender */
  domainId: string | null;
  tracked: boolean;
  /** contacts created later are not in the audience */
  sentAt: Date;
  /** keyed hash per campaign, which keeps addresses unique even after erasure */
  addressSalt: Buffer;
  /** emails per delivery batch */
  batchSize: number;
}

export interface Frozen {
  total: number;
  suppressed: number;
  invalid: number;
  sandbox: number;
}

/** The largest delivery batch. */
const mostPerBatch = 500;

/** Half a second of a project's sending rate: a rate-limited campaign shares its tokens in small parts. */
export const batchSizeOf = (ratePerSecond: number): number =>
  Math.min(mostPerBatch, Math.max(1, Math.floor(ratePerSecond / 2)));

/**
 * Locks the freeze of a campaign until the transaction ends. Not the campaign's row: a freeze can take minutes, and
 * a cancellation must not wait for it.
 */
export async function lockFreeze(db: Db, campaignId: string): Promise<void> {
  await db.$queryRaw(
    Prisma.sql`SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`freeze/${campaignId}`}, 0))) AS locked`,
  );
}

/**
 * Writes one email per contact of the audience with its delivery batches, in one statement: nothing can be claimed before all of
 * it is committed. The caller holds the lock of the freeze and has checked that the campaign was not frozen; the unique indexes
 * (campaign, contact) and (campaign, address) refuse a second freeze. (`ON CONFLICT` would search each index twice,
 * without benefit.)
 *
 * The id of a batch is the id of the statement with the batch's number in its last 32 bits, so that batches are claimed in
 * the order in which the emails are stored.
 */
export async function insertCampaignEmails(db: Db, request: FreezeRequest): Promise<Frozen> {
  const { campaignId, projectId, contentId, templateId, domainId, type, tracked, batchSize } = request;
  const outside =
    domainId === null
      ? Prisma.sql`WHEN ${isOutsideSandbox('c."projectId"', 'c."email"')} THEN 'sandbox'`
      : Prisma.empty;
  const salt = Uint8Array.from(request.addressSalt);
  const rows = await db.$queryRaw<Frozen[]>(Prisma.sql`
WITH base AS MATERIALIZED (
  SELECT uuid_send(uuid7()) AS "bytes"
), audience AS (
  SELECT c."id", c."email",
    CASE WHEN ${isSuppressed(projectId)} THEN 'suppressed' WHEN ${isInvalid} THEN 'invalid' ${outside} END AS reason
  FROM ${audienceSql(request)}
), numbered AS (
  SELECT a.*, (count(*) FILTER (WHERE a.reason IS NULL) OVER (ROWS UNBOUNDED PRECEDING) - 1) / ${batchSize}::int AS "batch"
  FROM audience a
), email AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "tracked", "templateId",
    "campaignId", "status", "reason", "batchId")
  SELECT uuid7(), ${projectId}::uuid, a."id", a."email", substring(sha256(${salt} || convert_to(a."email", 'UTF8')) FOR 16),
    ${type}::"EmailClass", 'CAMPAIGN', ${contentId}::uuid, ${tracked}, ${templateId}::uuid, ${campaignId}::uuid,
    CASE WHEN a.reason IS NULL THEN 'PENDING'::"EmailStatus" ELSE 'SKIPPED' END, a.reason,
    CASE WHEN a.reason IS NULL
      THEN encode(overlay(base."bytes" PLACING int4send(a."batch"::int) FROM 13 FOR 4), 'hex')::uuid END
  FROM numbered a CROSS JOIN base
  RETURNING "id", "contactId", "status", "reason", "batchId"
), waiting AS MATERIALIZED (
  SELECT "batchId", array_agg("id" ORDER BY "id") AS ids FROM email WHERE "batchId" IS NOT NULL GROUP BY "batchId"
), batches AS (
  INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "emailIds")
  SELECT "batchId", ${projectId}::uuid, ${campaignId}::uuid, ${domainId}::uuid, ${constant(priorities.CAMPAIGN)}, ids FROM waiting
), skipped AS MATERIALIZED (
  SELECT array_agg("id" ORDER BY "id") AS ids FROM (
    SELECT "id", row_number() OVER () / ${mostPerBatch}::int AS "part" FROM email WHERE "batchId" IS NULL
  ) s GROUP BY "part"
), logged AS (
  INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
  SELECT uuid7(), ${campaignId}::uuid, s."status"::"EmailStatus", now(), s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
  FROM (SELECT 'PENDING' AS "status", ids FROM waiting UNION ALL SELECT 'SKIPPED', ids FROM skipped) s
), told AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  SELECT uuid7(), ${projectId}::uuid, 'ACTIVITY', 'email.skipped',
    jsonb_build_object('emailId', "id", 'campaignId', ${campaignId}::uuid, 'reason', "reason"), "contactId", "id"
  FROM email WHERE "status" = 'SKIPPED'
)
SELECT count(*)::int AS total, count(*) FILTER (WHERE "reason" = 'suppressed')::int AS suppressed,
  count(*) FILTER (WHERE "reason" = 'invalid')::int AS invalid, count(*) FILTER (WHERE "reason" = 'sandbox')::int AS sandbox
FROM email`);
  return rows[0] ?? { total: 0, suppressed: 0, invalid: 0, sandbox: 0 };
}
