import { type Db, Prisma } from '../../base/db/index.ts';

export interface ReportableUsage {
  projectId: string;
  /** the first day of the month, as 2026-03-01 */
  month: string;
  customer: string;
  /** what has been reported, and what is to be reported now: totals of the month */
  reported: number;
  reporting: number;
}

/**
 * Fixes what is reported next of each project with a subscription, for this month and the one before. What an interrupted run has fixed
 * stays as it is, because it may have been reported.
 */
export async function fixReports(db: Db): Promise<ReportableUsage[]> {
  return db.$queryRaw<ReportableUsage[]>(Prisma.sql`
    WITH due AS (
      SELECT u."projectId", u."month", p."customer", coalesce(u."reporting", x."transactional" + x."campaigns" + x."workflows") AS "next"
      FROM "UsageCounter" u JOIN "Project" p ON p."id" = u."projectId"
      CROSS JOIN LATERAL usage_of(u."projectId", u."month") x
      WHERE p."subscription" IS NOT NULL AND p."customer" IS NOT NULL
        AND u."month" >= date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month'
    )
    UPDATE "UsageCounter" u SET "reporting" = d."next" FROM due d
    WHERE u."projectId" = d."projectId" AND u."month" = d."month" AND d."next" > u."reported"
    RETURNING u."projectId", u."month"::text, d."customer", u."reported", u."reporting"`);
}

/** Records that a report has arrived. */
export async function markReported(db: Db, { projectId, month, reporting }: ReportableUsage): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE "UsageCounter" SET "reported" = ${reporting}::int, "reporting" = NULL
    WHERE "projectId" = ${projectId}::uuid AND "month" = ${month}::date AND "reporting" = ${reporting}::int`);
}
