import { type Db, Prisma } from '../../../base/db/index.ts';
import type { Keyset } from '../../../base/kernel/index.ts';
import type { ImportProgress } from '../jobs/jobs.rules.ts';
import type { JobRow } from '../jobs/jobs.store.ts';

export interface ImportRow
  extends Pick<JobRow, 'id' | 'state' | 'progress' | 'failedReason' | 'createdAt' | 'completedAt'> {
  counts: Partial<
    Pick<ImportProgress, 'totalRows' | 'createdCount' | 'updatedCount' | 'failureCount' | 'unreadCount'>
  >;
  dryRun: boolean;
  fileName: string | null;
  actorType: string | null;
  actorId: string | null;
  actorEmail: string | null;
  keyName: string | null;
}

const ofProject = (projectId: string): Prisma.Sql =>
  Prisma.sql`j."projectId" = ${projectId}::uuid AND j."kind" = 'import'`;

/** One keyset page, newest first. */
export function findImports(
  db: Db,
  projectId: string,
  after: Keyset | null,
  limit: number,
): Promise<ImportRow[]> {
  const older = after
    ? Prisma.sql`AND (j."createdAt", j."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<ImportRow[]>(Prisma.sql`
SELECT j."id", j."state", j."progress", j."failedReason", j."createdAt", j."completedAt", j."fileName", j."actorType", j."actorId",
  j."keyName", u."email" AS "actorEmail", coalesce(j."result" - 'errors' - 'columns' - 'skippedColumns', '{}') AS "counts",
  coalesce(j."input" ? 'dryRun', false) AS "dryRun"
FROM "Job" j LEFT JOIN "User" u ON j."actorType" = 'user' AND u."id" = j."actorId"
WHERE ${ofProject(projectId)} ${older}
ORDER BY j."createdAt" DESC, j."id" DESC LIMIT ${limit}`);
}

export async function countImports(db: Db, projectId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "count" FROM "Job" j WHERE ${ofProject(projectId)}`,
  );
  return row?.count ?? 0;
}
