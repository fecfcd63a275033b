import { deliverCampaignJob } from '../../../automation/campaigns/campaigns.jobs.ts';
import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { eraseContacts } from '../erase.store.ts';
import {
  addErrors,
  type BulkKind,
  type BulkProgress,
  type ListedOperation,
  operationOf,
  progressOf,
} from '../jobs/jobs.rules.ts';
import {
  completeJob,
  findOpenJob,
  type JobRow,
  lockOpenJob,
  nextJobContacts,
  removeJobContacts,
  saveProgress,
} from '../jobs/jobs.store.ts';
import { changeSubscriptions } from '../subscriptions.store.ts';
import { selectMoreContacts } from './select-contacts.ts';

/** Deleting a contact touches many tables; a small batch keeps locks short. */
const batchOf = { subscribe: 1_000, unsubscribe: 1_000, delete: 200 } as const;

/**
 * Takes down a part of the list of contacts of a bulk change, or processes one batch of it once the list is complete. Processed contacts are
 * removed from the list in the same transaction, so that a repeated or concurrent batch changes nothing twice.
 *
 * @returns whether contacts are left to process
 */
export async function runBulkBatch(services: Services, jobId: string): Promise<boolean> {
  const { prisma } = services.database;
  const job = await findOpenJob(prisma, jobId);
  if (!job) return false;
  const done = await services.jobTurns.run(job.projectId, () =>
    prisma.$transaction((db) => takeBatch(services, db, jobId), { timeout: 120_000, maxWait: 30_000 }),
  );
  if (done === null) return false;
  services.scheduleFollowUps(done.projectId);
  for (const campaignId of done.campaignIds)
    services.workflows.signalDebounced(deliverCampaignJob, { campaignId });
  return done.more;
}

/** The batch itself. `db` must be a transaction. @returns null when there is nothing to do */
export async function takeBatch(
  services: Services,
  db: Db,
  jobId: string,
): Promise<{ projectId: string; campaignIds: string[]; more: boolean } | null> {
  const job = await lockOpenJob(db, jobId);
  if (!job) return null;
  const { projectId, input } = job;
  if ('total' in input && input.listedTo) {
    await selectMoreContacts(db, job, { ...input, listedTo: input.listedTo });
    return { projectId, campaignIds: [], more: true };
  }
  const operation = operationOf(job.kind as BulkKind) as ListedOperation;
  const before = (job.result as BulkProgress | null) ?? nothingYet(job);
  const ids = await nextJobContacts(db, jobId, batchOf[operation]);
  if (ids.length === 0) {
    await completeJob(db, jobId, before);
    return { projectId, campaignIds: [], more: false };
  }
  const { found, changed, refused = 0, campaignIds } = await apply(services, db, job, operation, ids);
  const missing = ids.filter((id) => !found.has(id));
  const after: BulkProgress = {
    ...before,
    successCount: before.successCount + changed,
    unchangedCount: before.unchangedCount + found.size - changed - refused,
    refusedCount: (before.refusedCount ?? 0) + refused,
    failureCount: before.failureCount + missing.length,
    errors: addErrors(
      before.errors,
      missing.map((contactId) => ({ contactId, email: null, error: 'Contact not found' })),
    ),
  };
  await removeJobContacts(db, jobId, ids);
  const done = after.successCount + after.unchangedCount + (after.refusedCount ?? 0) + after.failureCount;
  if (ids.length < batchOf[operation]) {
    await completeJob(db, jobId, after);
    return { projectId, campaignIds, more: false };
  }
  await saveProgress(db, jobId, progressOf(done, after.totalRequested), after);
  return { projectId, campaignIds, more: true };
}

async function apply(
  { secrets }: Services,
  db: Db,
  { id: jobId, projectId, input }: JobRow,
  operation: ListedOperation,
  ids: string[],
): Promise<{ found: Set<string>; changed: number; refused?: number; campaignIds: string[] }> {
  if (operation === 'delete') {
    const { found, campaignIds } = await eraseContacts(db, secrets, projectId, ids);
    return { found, changed: found.size, campaignIds };
  }
  const subscribed = operation === 'subscribe';
  const author = ('said' in input ? input.said : undefined) ?? { actor: 'system' as const };
  const { found, flipped, refused } = await changeSubscriptions(db, secrets, {
    ...{ projectId, ids, subscribed },
    said: { ...author, by: 'mass', source: 'bulk', reason: 'bulk', jobId },
  });
  return { found, changed: flipped, refused: refused.size, campaignIds: [] };
}

const nothingYet = ({ kind, input }: JobRow): BulkProgress => ({
  operation: operationOf(kind as BulkKind),
  totalRequested: 'total' in input ? input.total : 0,
  successCount: 0,
  unchangedCount: 0,
  refusedCount: 0,
  failureCount: 0,
  errors: [],
});
