import { storeEvent } from '../../base/event-types/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { debouncePerKey } from '../../base/lib/debounce.ts';
import { isDrained } from '../../mail/ledger/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import {
  type CampaignRow,
  changeCampaign,
  isFrozen,
  lockCampaign,
  readCampaign,
  readCounters,
} from './campaigns.store.ts';
import { checkCounters, countersAddUp } from './check-counters.ts';
import { guardCampaign } from './guard-campaign.ts';

/** The pause between two attempts of a process to close a campaign. */
const pauseMs = 250;

/** A test that runs keeps its campaign open, also where all of the audience is its sample. */
const canClose = (campaign: CampaignRow): boolean =>
  campaign.status === 'SENDING' &&
  isFrozen(campaign) &&
  campaign.retryBefore === null &&
  campaign.testState !== 'RUNNING';

/**
 * Closes a campaign without open emails: checks its counters and sets SENT.
 *
 * @returns whether the campaign has ended
 */
export async function closeLedger(services: Services, campaignId: string): Promise<boolean> {
  const { prisma } = services.database;
  const campaign = await readCampaign(prisma, campaignId);
  if (!campaign || !canClose(campaign)) return campaign?.status !== 'SENDING';
  if (!(await isDrained(prisma, campaignId))) {
    // What is reported about email that was sent also changes the counters of a campaign that no process sends at the moment.
    await guardCampaign(services, campaignId);
    return false;
  }
  await checkCounters(services, campaignId);
  return close(services, campaignId);
}

/**
 * Closes campaigns as soon as a process has settled the last of their emails that it knows of, without waiting for their workflows, which are
 * signalled all the same. Only the workflow closes one whose emails have to be counted for that.
 */
export const createCloser = (services: Services): ((campaignId: string) => void) =>
  debouncePerKey(
    async (campaignId: string) => {
      try {
        const campaign = await readCampaign(services.database.prisma, campaignId);
        if (campaign && canClose(campaign) && (await countersAddUp(services, campaign)))
          await close(services, campaignId);
      } catch (error) {
        services.log.warn({ err: error, campaignId }, 'a campaign could not be closed at once');
      }
      services.workflows.signalDebounced(deliverCampaignJob, { campaignId });
    },
    { keyOf: (campaignId) => campaignId, pauseMs: () => pauseMs },
  );

/** Sets SENT. @returns whether the campaign has ended */
const close = ({ database: { prisma } }: Services, campaignId: string): Promise<boolean> =>
  prisma.$transaction(
    async (db) => {
      const locked = await lockCampaign(db, null, campaignId);
      if (!locked || !canClose(locked)) return locked?.status !== 'SENDING';
      // Checked again under the lock: a late answer may have requeued an email in between.
      if (!(await isDrained(db, campaignId))) return false;
      await changeCampaign(db, campaignId, { status: 'SENT', statusReason: null, closedAt: new Date() });
      await storeEvent(db, 'campaign.sent', locked.projectId, {
        campaignId,
        campaignName: locked.name,
        subject: locked.subject,
        totalRecipients: locked.totalRecipients,
        sentCount: (await readCounters(db, campaignId))?.sentCount ?? 0,
      });
      return true;
    },
    { timeout: 120_000, maxWait: 30_000 },
  );
