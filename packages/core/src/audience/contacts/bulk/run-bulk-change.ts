import { deliverCampaignJob } from '../../../automation/campaigns/campaigns.jobs.ts';
import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { eraseContacts } from '../erase.store.ts';
import {
  addErrors,
  type BulkInput,
  type BulkKind,
  type BulkProgress,
  type ListedOperation,
  operationOf,
  progressOf,
} from '../jobs/jobs.rules.ts';
import {
  completeJob,
  failJob,
  findOpenJob,
  type JobRow,
  lockOpenJob,
  nextJobContacts,
  removeJobContacts,
  saveProgress,
} from '../jobs/jobs.store.ts';
import { changeSubscriptions } from '../subscriptions.store.ts';
import { changeData } from './change-data.ts';
import { selectMoreContacts } from './select-contacts.ts';

/** Deleting a contact touches many tables; a small batch keeps locks short. */
const batchOf = {
  subscribe: 1_000,
  unsubscribe: 1_000,
  topics: 1_000,
  delete: 200,
  update: 1_000,
  join: 1_000,
} as const;

/** What changes say of the subscription. */
const wanted = { subscribe: true, unsubscribe: false, topics: null } as const;

/**
 * Makes contacts members of a segment, which is a matter of the area above: whom of them the project has, and how many of these are new
 * members; null when the segment is gone. `db` must be a transaction.
 */
export type JoinSegment = (
  db: Db,
  projectId: string,
  segmentId: string,
  ids: string[],
) => Promise<{ found: Set<string>; added: number } | null>;

/**
 * Takes down a part of the list of contacts of a bulk change, or processes one batch of it once the list is complete. Processed contacts are
 * removed from the list in the same transaction, so that a repeated or concurrent batch changes nothing twice.
 *
 * @returns whether contacts are left to process
 */
export async function runBulkBatch(services: Services, jobId: string, join?: JoinSegment): Promise<boolean> {
  const { prisma } = services.database;
  const job = await findOpenJob(prisma, jobId);
  if (!job) return false;
  const done = await services.jobTurns.run(job.projectId, () =>
    prisma.$transaction((db) => takeBatch(services, db, jobId, join), { timeout: 120_000, maxWait: 30_000 }),
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
  join?: JoinSegment,
): Promise<{ projectId: string; campaignIds: string[]; more: boolean } | null> {
  const job = await lockOpenJob(db, jobId);
  if (!job) return null;
  const { projectId, input } = job;
  if ('total' in input && input.listedTo) {
    await selectMoreContacts(db, job, { ...input, listedTo: input.listedTo });
    return { projectId, campaignIds: [], more: true };
  }
  const operation = (job.kind as BulkKind).slice('bulk-'.length) as ListedOperation;
  const before = (job.result as BulkProgress | null) ?? nothingYet(job);
  const ids = await nextJobContacts(db, jobId, batchOf[operation]);
  if (ids.length === 0) {
    await completeJob(db, jobId, before);
    return { projectId, campaignIds: [], more: false };
  }
  const applied = await apply({ services, db, projectId, jobId, join }, operation, input as BulkInput, ids);
  if (applied === null) {
    await failJob(db, jobId, 'The segment was deleted');
    return { projectId, campaignIds: [], more: false };
  }
  const { found, changed, campaignIds = [], refused = [], keptOut = 0 } = applied;
  const missing = ids.filter((id) => !found.has(id));
  const after: BulkProgress = {
    ...before,
    successCount: before.successCount + changed,
    unchangedCount: before.unchangedCount + found.size - refused.length - changed - keptOut,
    refusedCount: (before.refusedCount ?? 0) + keptOut,
    failureCount: before.failureCount + missing.length + refused.length,
    errors: addErrors(before.errors, [
      ...refused,
      ...missing.map((contactId) => ({ contactId, email: null, error: 'Contact not found' })),
    ]),
    ...(operation === 'join' && { added: (before.added ?? 0) + changed }),
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

interface Applied {
  /** the contacts that the project has */
  found: Set<string>;
  changed: number;
  campaignIds?: string[];
  /** contacts that exist and cannot be changed */
  refused?: BulkProgress['errors'];
  /** contacts whose opt-out or pause is their own, which the change does not end */
  keptOut?: number;
}

interface Means {
  services: Services;
  db: Db;
  projectId: string;
  jobId: string;
  join: JoinSegment | undefined;
}

/** @returns null when the segment of the job is gone */
async function apply(
  { services: { secrets }, db, projectId, jobId, join }: Means,
  operation: ListedOperation,
  input: BulkInput,
  ids: string[],
): Promise<Applied | null> {
  if (operation === 'delete') {
    const { found, campaignIds } = await eraseContacts(db, secrets, projectId, ids);
    return { found, changed: found.size, campaignIds };
  }
  if (operation === 'update') return changeData(db, secrets, projectId, input, ids);
  if (operation === 'join') {
    if (!join || input.segmentId === undefined) throw new Error('a bulk change does not know its segment');
    const joined = await join(db, projectId, input.segmentId, ids);
    return joined && { found: joined.found, changed: joined.added };
  }
  // Jobs from before there was a log do not know who asked for them.
  const author = input.said ?? { actor: 'system' as const };
  const { found, flipped, changed, refused } = await changeSubscriptions(db, secrets, {
    ...{ projectId, ids, subscribed: wanted[operation] },
    ...(input.topics && { choices: input.topics }),
    said: { ...author, by: 'mass', source: 'bulk', reason: 'bulk', jobId },
  });
  return { found, changed: operation === 'topics' ? changed : flipped, keptOut: refused.size };
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
