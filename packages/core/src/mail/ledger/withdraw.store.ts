import { ofProject, type SqlDb } from '../../base/db/index.ts';
import { skipEmails } from './waiting-email.store.ts';

interface OpenEmail {
  id: string;
  batchId: string;
}

/** Emails of executions that are not settled. */
const findOpen = (db: SqlDb, projectId: string, executionIds: readonly string[]): Promise<OpenEmail[]> =>
  db.$queryRaw<OpenEmail[]>`
    SELECT m."id"::text AS "id", m."batchId"::text AS "batchId" FROM unnest(${[...executionIds]}::uuid[]) AS k("id")
    CROSS JOIN LATERAL (
      SELECT "id", "batchId" FROM "Email" WHERE "workflowExecutionId" = k."id" AND "batchId" IS NOT NULL AND ${ofProject('"projectId"', projectId)}
      OFFSET 0) m`;

/** An email moves to another batch when a claim splits its batch, or after an attempt: each time it is looked for again. */
const mostMoves = 20;

/**
 * Takes the emails of executions that no process has claimed out of their batches: they become SKIPPED with this reason, or UNCERTAIN if an
 * earlier attempt may have delivered them. The row of a batch orders this and a claim. `db` must be a transaction.
 *
 * @returns how many
 */
export async function withdrawEmails(
  db: SqlDb,
  projectId: string,
  executionIds: readonly string[],
  reason: 'exited' | 'cancelled',
): Promise<number> {
  let withdrawn = 0;
  let open = executionIds.length === 0 ? [] : await findOpen(db, projectId, executionIds);
  const claimed = new Set<string>();
  for (let moves = 0; open.length > 0 && moves < mostMoves; moves += 1) {
    const batchIds = [...new Set(open.map(({ batchId }) => batchId))];
    const batches = await db.$queryRaw<{ id: string; isHeld: boolean }[]>`
      SELECT "id"::text AS "id", "token" IS NOT NULL AS "isHeld" FROM "DeliveryBatch" WHERE "id" = ANY(${batchIds}::uuid[]) ORDER BY "id" FOR UPDATE`;
    for (const { id, isHeld } of batches) if (isHeld) claimed.add(id);
    const waiting = new Set(batches.filter(({ isHeld }) => !isHeld).map(({ id }) => id));
    // Some may have left their batches while the locks were waited for.
    const now = await findOpen(db, projectId, executionIds);
    const locked = now.filter(({ batchId }) => waiting.has(batchId));
    if (locked.length > 0) {
      await skipEmails(
        db,
        {
          projectId,
          ids: locked.map(({ id }) => id),
          batchIds: [...new Set(locked.map(({ batchId }) => batchId))],
        },
        reason,
      );
      withdrawn += locked.length;
    }
    open = now.filter(({ batchId }) => !waiting.has(batchId) && !claimed.has(batchId));
  }
  return withdrawn;
}
