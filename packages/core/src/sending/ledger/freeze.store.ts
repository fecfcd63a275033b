import { constant, type Db, type EmailClass, Prisma } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

export interface FreezeRequest {
  campaignId: string;
  projectId: string;
  contentId: string;
  templateId: string | null;
  domainId: string;
  type: EmailClass;
  tracked: boolean;
  /** contacts created later are not in the audience */
  sentAt: Date;
  /** condition over `"Contact" c`; all contacts when absent */
  condition?: Prisma.Sql;
  /** keyed hash per campaign, which keeps addresses unique even after erasure */
  addressSalt: Buffer;
}

export interface Frozen {
  total: number;
  skipped: number;
}

const everybody = Prisma.sql`true`;

/**
 * Undeliverable addresses: not exactly one `@` with a dotted host after it, or white space. Such addresses come from
 * old imports. Not a regular expression, because a million matches would take a large part of a freeze.
 */
const isInvalid = Prisma.sql`(c."email" NOT LIKE '%_@_%._%' OR c."email" LIKE '%@%@%'
  OR c."email" <> translate(c."email", E' \\t\\n\\r\\f\\v', ''))`;

const isSuppressed = (projectId: string): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid AND s."email" = c."email")`;

/**
 * Contacts of an audience: those that match and may get email of this type. Suppressed and invalid addresses are
 * included and get a SKIPPED email.
 */
const audienceSql = ({
  projectId,
  type,
  sentAt,
  condition = everybody,
}: Pick<FreezeRequest, 'projectId' | 'type' | 'sentAt' | 'condition'>) => Prisma.sql`
  "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" <= ${sentAt}
    AND (${type}::"EmailClass" = 'TRANSACTIONAL' OR c."subscribed") AND ${condition}`;

/** The number of emails that freezing would write now. */
export async function countAudience(
  db: Db,
  request: Pick<FreezeRequest, 'projectId' | 'type' | 'condition'>,
): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM ${audienceSql({ ...request, sentAt: new Date() })}`,
  );
  return rows[0]?.count ?? 0;
}

/** Whether at least one contact would be sent an email. */
export async function anyoneToSendTo(
  db: Db,
  request: Pick<FreezeRequest, 'projectId' | 'type' | 'condition'>,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (
      SELECT FROM (SELECT c."email" FROM ${audienceSql({ ...request, sentAt: new Date() })}) c
      WHERE NOT ${isSuppressed(request.projectId)} AND NOT (${isInvalid})
    ) AS found`);
  return rows[0]?.found ?? false;
}

export interface AudienceBreakdown {
  matched: number;
  willSend: number;
  unsubscribed: number;
  suppressed: number;
  invalid: number;
}

/** Counts the contacts that match, those that would get an email, and the others by the first reason that applies (B4.7). */
export async function breakDownAudience(
  db: Db,
  { projectId, type, condition = everybody }: Pick<FreezeRequest, 'projectId' | 'type' | 'condition'>,
): Promise<AudienceBreakdown> {
  const rows = await db.$queryRaw<AudienceBreakdown[]>(Prisma.sql`
SELECT count(*)::int AS matched, count(*) FILTER (WHERE reason IS NULL)::int AS "willSend",
  count(*) FILTER (WHERE reason = 'unsubscribed')::int AS unsubscribed,
  count(*) FILTER (WHERE reason = 'suppressed')::int AS suppressed, count(*) FILTER (WHERE reason = 'invalid')::int AS invalid
FROM (
  SELECT CASE WHEN ${type}::"EmailClass" <> 'TRANSACTIONAL' AND NOT c."subscribed" THEN 'unsubscribed'
    WHEN ${isSuppressed(projectId)} THEN 'suppressed' WHEN ${isInvalid} THEN 'invalid' END AS reason
  FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${condition}
) audience`);
  return rows[0] ?? { matched: 0, willSend: 0, unsubscribed: 0, suppressed: 0, invalid: 0 };
}

/**
 * Writes one email per contact of the audience, in one statement: nothing can be claimed before all of it is
 * committed. The caller has locked the campaign's row and checked that it was not frozen; the unique indexes
 * (campaign, contact) and (campaign, address) refuse a second freeze. (`ON CONFLICT` would search each index twice,
 * without benefit.)
 */
export async function insertCampaignEmails(db: Db, request: FreezeRequest): Promise<Frozen> {
  const { campaignId, projectId, contentId, templateId, domainId, type, tracked, addressSalt } = request;
  const salt = Uint8Array.from(addressSalt);
  const rows = await db.$queryRaw<Frozen[]>(Prisma.sql`
WITH audience AS (
  SELECT c."id", c."email",
    CASE WHEN ${isSuppressed(projectId)} THEN 'suppressed' WHEN ${isInvalid} THEN 'invalid' END AS reason
  FROM ${audienceSql(request)}
), email AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "tracked", "templateId",
    "campaignId", "status", "reason")
  SELECT uuid7(), ${projectId}::uuid, a."id", a."email", substring(sha256(${salt} || convert_to(a."email", 'UTF8')) FOR 16),
    ${type}::"EmailClass", 'CAMPAIGN', ${contentId}::uuid, ${tracked}, ${templateId}::uuid, ${campaignId}::uuid,
    CASE WHEN a.reason IS NULL THEN 'PENDING'::"EmailStatus" ELSE 'SKIPPED' END, a.reason
  FROM audience a
  RETURNING "id", "contactId", "status", "reason"
), delivery AS (
  INSERT INTO "Delivery" ("emailId", "projectId", "priority", "campaignId", "domainId")
  SELECT "id", ${projectId}::uuid, ${constant(priorities.CAMPAIGN)}, ${campaignId}::uuid, ${domainId}::uuid FROM email WHERE "status" = 'PENDING'
), told AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  SELECT uuid7(), ${projectId}::uuid, 'ACTIVITY', 'email.skipped',
    jsonb_build_object('emailId', "id", 'campaignId', ${campaignId}::uuid, 'reason', "reason"), "contactId", "id"
  FROM email WHERE "status" = 'SKIPPED'
)
SELECT count(*)::int AS total, count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS skipped FROM email`);
  return rows[0] ?? { total: 0, skipped: 0 };
}

/**
 * Skips at most `limit` emails of a campaign: those that wait, and those that are claimed but have not begun, whose
 * fence is refused from then on. Oldest due first, the order of claims, so that claimed rows are among the first.
 * Transfers that have begun finish and count.
 *
 * @returns how many were skipped
 */
export async function skipWaiting(
  db: Db,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  reason: string,
  limit: number,
): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
WITH waiting AS (
  SELECT d."emailId" FROM "Delivery" d JOIN "Email" e ON e."id" = d."emailId"
  WHERE d."projectId" = ${projectId}::uuid AND d."priority" = ${constant(priorities.CAMPAIGN)} AND d."campaignId" = ${campaignId}::uuid
    AND (d."token" IS NULL OR d."dataStartedAt" IS NULL)
  ORDER BY d."nextAttemptAt", d."emailId" LIMIT ${limit} FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM "Delivery" d USING waiting w WHERE d."emailId" = w."emailId" RETURNING d."emailId"
), email AS (
  UPDATE "Email" e SET "status" = 'SKIPPED', "reason" = ${reason}, "error" = NULL, "updatedAt" = now()
  FROM gone WHERE e."id" = gone."emailId" AND e."status" = 'PENDING'
  RETURNING e."id", e."projectId", e."contactId"
), told AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  SELECT uuid7(), "projectId", 'ACTIVITY', 'email.skipped',
    jsonb_build_object('emailId', "id", 'campaignId', ${campaignId}::uuid, 'reason', ${reason}::text), "contactId", "id"
  FROM email
), counted AS (
  UPDATE "CampaignCounter" SET "skippedCount" = "skippedCount" + (SELECT count(*) FROM email) WHERE "campaignId" = ${campaignId}::uuid
)
SELECT count(*)::int AS count FROM email`);
  return rows[0]?.count ?? 0;
}

/** Whether the ledger of a campaign is closed: none of its emails waits or is in flight. */
export async function isDrained(db: Db, campaignId: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ open: boolean }[]>(
    Prisma.sql`SELECT EXISTS (SELECT FROM "Delivery" WHERE "campaignId" = ${campaignId}::uuid) AS open`,
  );
  return !(rows[0]?.open ?? false);
}

export interface CountedStatuses {
  total: number;
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  complained: number;
  failed: number;
  skipped: number;
  uncertain: number;
}

/** Counts a campaign's emails by their rows; its counters are compared with this when it closes. */
export async function countCampaignEmails(db: Db, campaignId: string): Promise<CountedStatuses> {
  const rows = await db.$queryRaw<CountedStatuses[]>(Prisma.sql`
SELECT count(*)::int AS total, count("sentAt")::int AS sent, count("deliveredAt")::int AS delivered, count("openedAt")::int AS opened,
  count("clickedAt")::int AS clicked, count("bouncedAt")::int AS bounced, count("complainedAt")::int AS complained,
  count(*) FILTER (WHERE "status" = 'FAILED')::int AS failed, count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS skipped,
  count(*) FILTER (WHERE "status" = 'UNCERTAIN')::int AS uncertain
FROM "Email" WHERE "campaignId" = ${campaignId}::uuid`);
  const [row] = rows;
  if (!row) throw new Error('counting gave no row');
  return row;
}

/** The number of skipped emails per campaign and reason; campaigns without any are missing. */
export async function countSkipReasons(
  db: Db,
  campaignIds: string[],
): Promise<Map<string, Record<string, number>>> {
  const reasons = new Map<string, Record<string, number>>();
  if (campaignIds.length === 0) return reasons;
  const rows = await db.$queryRaw<{ campaignId: string; reason: string; count: number }[]>(Prisma.sql`
SELECT "campaignId", coalesce("reason", 'cancelled') AS reason, count(*)::int AS count FROM "Email"
WHERE "campaignId" = ANY(${campaignIds}::uuid[]) AND "status" = 'SKIPPED' GROUP BY 1, 2`);
  for (const { campaignId, reason, count } of rows) {
    reasons.set(campaignId, { ...reasons.get(campaignId), [reason]: count });
  }
  return reasons;
}
