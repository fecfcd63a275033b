import { reportCancelled } from '../../automation/campaigns/index.ts';
import { type Db, Prisma, type RemovalKind } from '../../base/db/index.ts';
import { quarterInterval, quarterOf } from '../../base/figures/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

export type RemovalRow = Prisma.ProjectRemovalGetPayload<object>;

/** Later than any row. */
const endOfTime = new Date('9999-12-31T00:00:00Z');

/** Records that the data of a project is to be removed: with a reset, what exists at the time of this transaction. */
export async function startRemoval(db: Db, projectId: string, kind: RemovalKind): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "ProjectRemoval" ("id", "projectId", "kind", "before")
    VALUES (${newId()}::uuid, ${projectId}::uuid, ${kind}::"RemovalKind",
      CASE WHEN ${kind} = 'DELETE' THEN ${endOfTime}::timestamptz ELSE now() END)`;
}

/** @returns false when the project is deleted already */
export async function markDeleted(db: Db, projectId: string): Promise<boolean> {
  const { count } = await db.project.updateMany({
    where: { id: projectId, deletedAt: null, kind: 'CUSTOMER' },
    data: { deletedAt: new Date() },
  });
  return count > 0;
}

/** Has delivery processes begin nothing more of what they hold of a project. */
export async function stopDelivery(db: Db, projectId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "DeliveryBatch" b SET "stopped" = true FROM (
      SELECT "id" FROM "DeliveryBatch" WHERE "projectId" = ${projectId}::uuid AND "token" IS NOT NULL ORDER BY "id" FOR UPDATE
    ) held WHERE b."id" = held."id"`;
}

/** Cancels the campaigns of a project that is reset. @returns their ids */
export async function cancelCampaigns(db: Db, projectId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH cancelled AS (
      UPDATE "Campaign" c SET "status" = 'CANCELLED', "pausedAt" = NULL, "pauseReason" = NULL, "updatedAt" = now(), "wakeSeq" = c."wakeSeq" + 1 FROM (
        SELECT "id" FROM "Campaign" WHERE "projectId" = ${projectId}::uuid AND "status" IN ('SCHEDULED', 'SENDING') ORDER BY "id" FOR UPDATE
      ) running WHERE c."id" = running."id" RETURNING c.*
    ), reported AS (${reportCancelled('cancelled')})
    SELECT "id" FROM cancelled`;
  return rows.map(({ id }) => id);
}

/** Counts of the present quarter of an hour, and figures of the present day: rows that are written later count later email only. */
export async function removeCurrentCounts(db: Db, projectId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "ContactCount" WHERE "projectId" = ${projectId}::uuid AND "at" > now() - ${quarterInterval}`;
  // Entries first, also earlier ones, which would still be added to the figures of the day.
  await db.$executeRaw`DELETE FROM "FigureEntry" WHERE "projectId" = ${projectId}::uuid`;
  await db.$executeRaw`
    DELETE FROM "Figure" WHERE "projectId" = ${projectId}::uuid
      AND "at" >= least(date_trunc('day', now(), 'UTC'), now() - ${quarterInterval})`;
}

export const findLatestReset = (db: Db, projectId: string): Promise<RemovalRow | null> =>
  db.projectRemoval.findFirst({ where: { projectId, kind: 'RESET' }, orderBy: { createdAt: 'desc' } });

/** The next removal of a project: a deletion before resets, which it includes. */
export async function findOpenRemoval(db: Db, projectId: string): Promise<RemovalRow | null> {
  const open = await db.projectRemoval.findMany({
    where: { projectId, completedAt: null },
    orderBy: { createdAt: 'asc' },
  });
  return open.find(({ kind }) => kind === 'DELETE') ?? open[0] ?? null;
}

/** The next projects with data to be removed, by their ids. @param after the last one of those before */
export async function findOpenRemovals(
  services: Services,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await services.database.prisma.projectRemoval.findMany({
    where: { completedAt: null, ...(after !== null && { projectId: { gt: after } }) },
    distinct: ['projectId'],
    select: { projectId: true },
    orderBy: { projectId: 'asc' },
    take: limit,
  });
  return rows.map(({ projectId }) => projectId);
}

export async function saveProgress(db: Db, id: string, progress: number, removed: number): Promise<void> {
  await db.projectRemoval.update({ where: { id }, data: { progress, removed: { increment: removed } } });
}

/**
 * Completes a removal; a deletion completes the resets of its project as well. Contacts that a reset left, because they have got email or
 * events since, are counted again: the rows that counted their creation are removed.
 */
export async function completeRemoval(db: Db, { id, projectId, kind, before }: RemovalRow): Promise<void> {
  if (kind === 'RESET')
    await db.$executeRaw`
      INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed")
      SELECT uuid7(), ${projectId}::uuid, ${quarterOf(Prisma.sql`${before}::timestamptz`)}, c."left", 0
      FROM (SELECT count(*)::int AS "left" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before}) c
      WHERE c."left" > 0`;
  await db.projectRemoval.updateMany({
    where: kind === 'DELETE' ? { projectId, completedAt: null } : { id },
    data: { progress: 100, completedAt: new Date() },
  });
}
