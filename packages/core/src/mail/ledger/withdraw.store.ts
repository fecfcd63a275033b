import { type Db, ofProject } from '../../base/db/index.ts';
import { cancelWaiting } from './waiting-email.store.ts';

/** Emails move to other batches when a claim divides theirs: each time they are looked for again. */
const mostMoves = 20;

/**
 * Withdraws the emails of executions that no delivery process has claimed: they become SKIPPED `cancelled`. What is claimed is sent. Waits for
 * claims that hold a batch at present, and then sees what they have taken. `db` must be a transaction.
 *
 * @returns how many
 */
export async function withdrawEmails(
  db: Db,
  projectId: string,
  executionIds: readonly string[],
): Promise<number> {
  let withdrawn = 0;
  for (let moves = 0; executionIds.length > 0 && moves < mostMoves; moves += 1) {
    const found = await db.$queryRaw<{ id: string; batchId: string }[]>`
      SELECT e."id"::text AS "id", e."batchId"::text AS "batchId" FROM "Email" e
      CROSS JOIN LATERAL (SELECT "token" FROM "DeliveryBatch" WHERE "id" = e."batchId" OFFSET 0) b
      WHERE e."workflowExecutionId" = ANY(${[...executionIds]}::uuid[]) AND e."batchId" IS NOT NULL AND b."token" IS NULL
        AND ${ofProject('e."projectId"', projectId)}`;
    if (found.length === 0) break;
    const batchIds = await lockWaitingBatches(db, [...new Set(found.map(({ batchId }) => batchId))]);
    withdrawn += await cancelWaiting(db, { projectId, ids: found.map(({ id }) => id), batchIds });
  }
  return withdrawn;
}

/** In the order of delivery processes. @returns those that still wait */
async function lockWaitingBatches(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "DeliveryBatch" WHERE "id" = ANY(${[...ids]}::uuid[]) AND "token" IS NULL ORDER BY "id" FOR UPDATE`;
  return rows.map(({ id }) => id);
}
