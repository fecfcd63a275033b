import { totalOfContacts } from '../../audience/contacts/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';

export interface EmailCounts {
  sent: number;
  failed: number;
  skipped: number;
  uncertain: number;
  pending: number;
}

/** Emails created in the last day, by status: one pass over the list index. Those whose time is ahead are not pending. */
export async function countRecentEmails(db: Db, projectId: string): Promise<EmailCounts> {
  const rows = await db.$queryRaw<EmailCounts[]>(Prisma.sql`
SELECT count("sentAt")::int AS sent, count(*) FILTER (WHERE "status" = 'FAILED')::int AS failed,
  count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS skipped, count(*) FILTER (WHERE "status" = 'UNCERTAIN')::int AS uncertain,
  count(*) FILTER (WHERE "status" = 'PENDING' AND ("scheduledAt" IS NULL OR "scheduledAt" <= now() OR "attempts" > 0))::int AS pending
FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "createdAt" >= now() - interval '24 hours' AND "sourceType" NOT IN ('TEST', 'SYSTEM')`);
  return rows[0] ?? { sent: 0, failed: 0, skipped: 0, uncertain: 0, pending: 0 };
}

/** The last 24 hours, hour by hour, empty hours included. */
export async function hourlySeries(
  db: Db,
  projectId: string,
): Promise<{ bucket: Date; sent: number; failed: number }[]> {
  return db.$queryRaw<{ bucket: Date; sent: number; failed: number }[]>(Prisma.sql`
SELECT hour AS bucket, coalesce(c.sent, 0)::int AS sent, coalesce(c.failed, 0)::int AS failed
FROM generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') AS hour
LEFT JOIN (
  SELECT date_trunc('hour', coalesce("sentAt", "updatedAt")) AS at, count("sentAt") AS sent, count(*) FILTER (WHERE "status" = 'FAILED') AS failed
  FROM "Email"
  WHERE "projectId" = ${projectId}::uuid AND "createdAt" >= now() - interval '48 hours' AND "sourceType" NOT IN ('TEST', 'SYSTEM')
  GROUP BY 1
) c ON c.at = hour
ORDER BY hour`);
}

/** All contacts, of a large project as of at most a minute ago, and how many of them are subscribed: most are, so the others are counted. */
export async function countContacts(
  db: Db,
  projectId: string,
): Promise<{ total: number; subscribed: number }> {
  const [total, [row]] = await Promise.all([
    totalOfContacts(db, projectId),
    db.$queryRaw<{ unsubscribed: number }[]>`
      SELECT count(*)::int AS "unsubscribed" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND NOT "subscribed"`,
  ]);
  return { total, subscribed: Math.max(0, total - (row?.unsubscribed ?? 0)) };
}

export async function countDomains(db: Db, projectId: string): Promise<{ total: number; verified: number }> {
  const [total, verified] = await Promise.all([
    db.domain.count({ where: { projectId } }),
    db.domain.count({ where: { projectId, status: 'VERIFIED' } }),
  ]);
  return { total, verified };
}

export async function hasSentMail(db: Db, projectId: string): Promise<boolean> {
  const row = await db.email.findFirst({ where: { projectId, sentAt: { not: null } }, select: { id: true } });
  const removed = { scopeId: projectId, counter: 'sentCount' };
  return row !== null || (await db.expiredEmails.count({ where: removed })) > 0;
}

/** What has been made in the project so far, for its first steps. */
export async function readFirstSteps(
  db: Db,
  projectId: string,
): Promise<{ hasTemplate: boolean; hasCampaign: boolean }> {
  const [steps] = await db.$queryRaw<{ hasTemplate: boolean; hasCampaign: boolean }[]>(Prisma.sql`
SELECT EXISTS (SELECT FROM "Template" WHERE "projectId" = ${projectId}::uuid) AS "hasTemplate",
  EXISTS (SELECT FROM "Campaign" WHERE "projectId" = ${projectId}::uuid) AS "hasCampaign"`);
  return steps ?? { hasTemplate: false, hasCampaign: false };
}

const mostJobs = 5;

/** Jobs that wait or run, the latest first. */
export const findRunningJobs = (
  db: Db,
  projectId: string,
): Promise<{ id: string; kind: string; state: string; progress: number }[]> =>
  db.job.findMany({
    where: { projectId, state: { in: ['waiting', 'active'] } },
    orderBy: { createdAt: 'desc' },
    take: mostJobs,
    select: { id: true, kind: true, state: true, progress: true },
  });

/** Counting on would read more than a figure is worth. */
const mostWaiting = 10_000;

/** The number of executions that wait, at most 10,000. */
export async function countWaitingExecutions(db: Db, projectId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
SELECT count(*)::int AS count FROM (
  SELECT FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "status" = 'WAITING' LIMIT ${mostWaiting}::int) w`);
  return row?.count ?? 0;
}
