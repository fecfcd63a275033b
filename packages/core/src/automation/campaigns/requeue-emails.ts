import type { Db } from '../../base/db/index.ts';
import type { AppError, Services } from '../../base/kernel/index.ts';
import {
  batchSizeOf,
  countFailedOfRetry,
  countRetried,
  type RetriedStatus,
  requeueEmails,
  signalBulkDelivery,
} from '../../mail/ledger/index.ts';
import { dailyCapExceeded, exceededDailyCap } from '../../mail/ramp/index.ts';
import { billingLimitExceeded, fitsCampaign } from '../../people/billing/index.ts';
import { changeCampaign, readCampaignProject, readCounters } from './campaigns.store.ts';
import { type FamilyMember, othersOfRound } from './family.store.ts';
import { lockForRetry } from './lock-for-retry.ts';

/** Emails requeued by one transaction. */
const emailsAtOnce = 5_000;

/** Everything that the queries of a retry need. */
export async function retryRequestOf(
  { config }: Pick<Services, 'config'>,
  db: Db,
  member: FamilyMember,
  statuses: readonly RetriedStatus[],
  before: Date | null = null,
) {
  const { id: campaignId, projectId } = member;
  const rate = (await readCampaignProject(db, projectId))?.sendRate ?? config.SEND_RATE_PER_SECOND;
  return {
    projectId,
    campaignId,
    statuses,
    before,
    others: await othersOfRound(db, member),
    batchSize: batchSizeOf(rate),
    sandboxFrom: config.sandboxFrom,
  };
}

type RetryRequest = Omit<Awaited<ReturnType<typeof retryRequestOf>>, 'others'> & { others?: string[] };

/**
 * What forbids a project to take again what the next emails of a retry have given back when they failed (behaviour B4.18, B8.1); null
 * when it may. Its usage stays locked until the end of the transaction.
 */
async function refusalOfRetry(
  { config }: Pick<Services, 'config'>,
  db: Db,
  request: RetryRequest,
  after: Parameters<typeof requeueEmails>[2],
  limit: number,
): Promise<AppError | null> {
  const isRamped = config.NEW_PROJECT_RAMP !== undefined;
  if (!(config.billingEnabled || isRamped) || !request.statuses.includes('FAILED')) return null;
  const { emails, usage } = await countFailedOfRetry(db, request, after, limit);
  const { projectId } = request;
  if (config.billingEnabled && usage > 0 && !(await fitsCampaign(db, projectId, usage)))
    return billingLimitExceeded();
  const cap = await exceededDailyCap(config, db, { projectId, quantity: emails, kept: false });
  return cap === null ? null : dailyCapExceeded(cap);
}

/** Emails that a request counts: more would take it seconds. */
const mostCounted = 200_000;

/**
 * How many emails of a retry are left after this position: exact up to `most`; beyond, by the counters of the campaign, in which those of
 * deleted contacts count.
 */
export async function restOfRetry(
  db: Db,
  request: RetryRequest,
  after: NonNullable<Parameters<typeof requeueEmails>[2]>,
  most = mostCounted,
): Promise<number> {
  const counters = await readCounters(db, request.campaignId);
  const ofStatus = { FAILED: counters?.failedCount ?? 0, UNCERTAIN: counters?.uncertainCount ?? 0 };
  const left = [...new Set(request.statuses)].reduce((sum, status) => sum + ofStatus[status], 0);
  return left > most ? left : countRetried(db, request, after);
}

/** What forbids a retry as a whole; of a very large one, its first emails. */
export const refusalOfWholeRetry = (
  services: Pick<Services, 'config'>,
  db: Db,
  request: RetryRequest,
): Promise<AppError | null> => refusalOfRetry(services, db, request, null, mostCounted);

const isRetried = (status: string): status is RetriedStatus => status === 'FAILED' || status === 'UNCERTAIN';

/** Requeues the rest of a retry that was too large for its request; what no longer fits below a cap stays failed. */
export async function requeueRest(services: Services, campaignId: string): Promise<void> {
  const { prisma } = services.database;
  let after: Parameters<typeof requeueEmails>[2] = null;
  for (;;) {
    const done = await prisma.$transaction(
      async (db) => {
        const campaign = await lockForRetry(db, null, campaignId);
        if (campaign?.status !== 'SENDING' || !campaign.retryBefore) return true;
        const statuses = campaign.retryStatuses.filter(isRetried);
        const request = await retryRequestOf(services, db, campaign, statuses, campaign.retryBefore);
        const refusal = await refusalOfRetry(services, db, request, after, emailsAtOnce);
        const { next } = refusal ? { next: null } : await requeueEmails(db, request, after, emailsAtOnce);
        after = next;
        if (next === null) await changeCampaign(db, campaignId, { retryBefore: null, retryStatuses: [] });
        else await signalBulkDelivery(services, campaign.projectId);
        return next === null;
      },
      { timeout: 120_000, maxWait: 30_000 },
    );
    if (done) return;
  }
}
