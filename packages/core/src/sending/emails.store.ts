import { type Db, type InteractionType, Prisma } from '../db/index.ts';
import type { Keyset } from '../kernel/index.ts';
import type { EmailRecord } from './sending.schema.ts';

/** An email as stored; `plainSubject` is the content's subject, for emails that are not rendered yet. */
export interface EmailRow {
  id: string;
  projectId: string;
  contactId: string | null;
  to: string;
  toName: string | null;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  subject: string | null;
  plainSubject: string;
  type: EmailRecord['type'];
  sourceType: EmailRecord['sourceType'];
  templateId: string | null;
  campaignId: string | null;
  workflowExecutionId: string | null;
  workflowStepExecutionId: string | null;
  status: EmailRecord['status'];
  reason: string | null;
  error: string | null;
  messageId: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
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
  acceptedSubscribed: boolean | null;
  contactData: Record<string, unknown> | null;
}

/** An email is SENDING while a worker holds its batch. One that waits for a paused route shows that as its error. */
export const selectEmail = (routeId: string) => Prisma.sql`
SELECT e."id", e."projectId", e."contactId", e."to", e."toName", c."from", c."fromName", c."replyTo", e."subject", c."subject" AS "plainSubject",
  e."type", e."sourceType", e."templateId", e."campaignId", e."workflowExecutionId", e."workflowStepExecutionId",
  CASE WHEN d."token" IS NOT NULL AND e."status" IN ('PENDING', 'UNCERTAIN') THEN 'SENDING' ELSE e."status"::text END AS "status",
  e."reason",
  CASE WHEN e."status" = 'PENDING' AND r."pausedAt" IS NOT NULL
    THEN coalesce(e."error" || '; ', '') || 'Waiting for the mail server: ' || r."reason" ELSE e."error" END AS "error",
  coalesce(e."messageId", CASE WHEN e."sentAt" IS NOT NULL OR e."status" = 'UNCERTAIN' THEN '<' || e."id" || '@' || split_part(c."from", '@', 2) || '>' END) AS "messageId",
  e."attempts", CASE WHEN d."token" IS NULL THEN d."nextAttemptAt" END AS "nextAttemptAt", e."opens", e."clicks",
  e."sentAt", e."deliveredAt", e."openedAt", e."clickedAt", e."bouncedAt", e."complainedAt", e."createdAt", e."updatedAt",
  e."contentId", e."contentClearedAt", e."vars", e."acceptedSubscribed", p."email" AS "contactEmail", p."subscribed" AS "contactSubscribed", p."data" AS "contactData"
FROM "Email" e
JOIN "Content" c ON c."id" = e."contentId"
LEFT JOIN "DeliveryBatch" d ON d."id" = e."batchId"
LEFT JOIN "Contact" p ON p."id" = e."contactId"
LEFT JOIN "Route" r ON r."id" = ${routeId}`;

export interface EmailSearch {
  projectId: string;
  limit: number;
  after: Keyset | null;
  status?: string | undefined;
  sourceType?: string | undefined;
  contactId?: string | undefined;
  campaignId?: string | undefined;
  templateId?: string | undefined;
  /** part of the address or subject, in any case */
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function conditionsOf(search: EmailSearch): Prisma.Sql[] {
  const { projectId, status, sourceType, contactId, campaignId, templateId, from, to } = search;
  const conditions = [Prisma.sql`e."projectId" = ${projectId}::uuid AND e."sourceType" <> 'SYSTEM'`];
  if (sourceType) conditions.push(Prisma.sql`e."sourceType" = ${sourceType}::"EmailSource"`);
  if (contactId) conditions.push(Prisma.sql`e."contactId" = ${contactId}::uuid`);
  if (campaignId) conditions.push(Prisma.sql`e."campaignId" = ${campaignId}::uuid`);
  if (templateId) conditions.push(Prisma.sql`e."templateId" = ${templateId}::uuid`);
  if (search.search) conditions.push(mentions(search.search));
  if (from) conditions.push(Prisma.sql`e."createdAt" >= ${from}`);
  if (to) conditions.push(Prisma.sql`e."createdAt" < ${to}`);
  const held = Prisma.sql`EXISTS (SELECT FROM "DeliveryBatch" h WHERE h."id" = e."batchId" AND h."token" IS NOT NULL)`;
  if (status === 'SENDING') conditions.push(Prisma.sql`e."status" IN ('PENDING', 'UNCERTAIN') AND ${held}`);
  else if (status === 'PENDING' || status === 'UNCERTAIN') {
    conditions.push(Prisma.sql`e."status" = ${status}::"EmailStatus" AND NOT ${held}`);
  } else if (status) conditions.push(Prisma.sql`e."status" = ${status}::"EmailStatus"`);
  return conditions;
}

/** Addresses are stored in lower case. The subject is the content's until it is rendered, and if rendering does not change it. */
function mentions(text: string): Prisma.Sql {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return Prisma.sql`(e."to" LIKE ${pattern} OR lower(coalesce(e."subject",
    (SELECT c."subject" FROM "Content" c WHERE c."id" = e."contentId"))) LIKE ${pattern})`;
}

/** One keyset page, newest first: ids from an index, joined afterwards. */
export async function searchEmails(db: Db, search: EmailSearch, routeId: string): Promise<EmailRow[]> {
  const conditions = conditionsOf(search);
  if (search.after) {
    conditions.push(
      Prisma.sql`(e."createdAt", e."id") < (${new Date(search.after.value)}, ${search.after.id}::uuid)`,
    );
  }
  return db.$queryRaw<EmailRow[]>(Prisma.sql`
WITH page AS (
  SELECT e."id" FROM "Email" e WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${search.limit}
)
${selectEmail(routeId)}
WHERE e."id" IN (SELECT "id" FROM page)
ORDER BY e."createdAt" DESC, e."id" DESC`);
}

export async function countEmails(db: Db, search: EmailSearch): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "Email" e WHERE ${Prisma.join(conditionsOf(search), ' AND ')}`,
  );
  return rows[0]?.count ?? 0;
}

export async function findEmail(
  db: Db,
  projectId: string,
  id: string,
  routeId: string,
): Promise<EmailRow | null> {
  const rows = await db.$queryRaw<EmailRow[]>(
    Prisma.sql`${selectEmail(routeId)} WHERE e."projectId" = ${projectId}::uuid AND e."id" = ${id}::uuid AND e."sourceType" <> 'SYSTEM'`,
  );
  return rows[0] ?? null;
}

export const newestInteractions = (
  db: Db,
  projectId: string,
  emailId: string,
  limit: number,
): Promise<{ type: InteractionType; at: Date; link: string | null; detail: string | null; bot: boolean }[]> =>
  db.interaction.findMany({ where: { emailId, projectId }, orderBy: { at: 'desc' }, take: limit });
