import { fitsCampaign } from '../billing/index.ts';
import type { Db } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';
import {
  batchSizeOf,
  countUsageOfRetry,
  type RetriedStatus,
  requeueEmails,
  signalBulkDelivery,
} from '../sending/index.ts';
import { type CampaignRow, changeCampaign, lockCampaign, readCampaignProject } from './campaigns.store.ts';

/** Emails requeued by one transaction. */
const emailsAtOnce = 5_000;

/** Everything that the queries of a retry need. */
export async function retryRequestOf(
  { config }: Pick<Services, 'config'>,
  db: Db,
  { id: campaignId, projectId }: Pick<CampaignRow, 'id' | 'projectId'>,
  statuses: readonly RetriedStatus[],
  before: Date | null = null,
) {
  const rate = (await readCampaignProject(db, projectId))?.sendRate ?? config.SEND_RATE_PER_SECOND;
  return {
    projectId,
    campaignId,
    statuses,
    before,
    batchSize: batchSizeOf(rate),
    sandboxFrom: config.sandboxFrom,
  };
}

type RetryRequest = Awaited<ReturnType<typeof retryRequestOf>>;

/**
 * Whether a project may take again what the next emails of a retry have given back when they failed (behaviour B4.18). Its usage stays
 * locked until the end of the transaction.
 */
export async function fitsRetry(
  { config }: Pick<Services, 'config'>,
  db: Db,
  request: RetryRequest,
  after: Parameters<typeof requeueEmails>[2],
  limit: number,
): Promise<boolean> {
  if (!config.billingEnabled || !request.statuses.includes('FAILED')) return true;
  const usage = await countUsageOfRetry(db, request, after, limit);
  return usage === 0 || fitsCampaign(db, request.projectId, usage);
}

const isRetried = (status: string): status is RetriedStatus => status === 'FAILED' || status === 'UNCERTAIN';

/** Requeues the rest of a retry that was too large for its request; what no longer fits below a cap stays failed. */
export async function requeueRest(services: Services, campaignId: string): Promise<void> {
  const { prisma } = services.database;
  let after: Parameters<typeof requeueEmails>[2] = null;
  for (;;) {
    const done = await prisma.$transaction(
      async (db) => {
        const campaign = await lockCampaign(db, null, campaignId);
        if (campaign?.status !== 'SENDING' || !campaign.retryBefore) return true;
        const statuses = campaign.retryStatuses.filter(isRetried);
        const request = await retryRequestOf(services, db, campaign, statuses, campaign.retryBefore);
        const fits = await fitsRetry(services, db, request, after, emailsAtOnce);
        const { next } = fits ? await requeueEmails(db, request, after, emailsAtOnce) : { next: null };
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
