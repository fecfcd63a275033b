import { storeEvent } from '../../base/event-types/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { isDrained } from '../../mail/ledger/index.ts';
import {
  type CampaignRow,
  changeCampaign,
  isFrozen,
  lockCampaign,
  readCampaign,
  readCounters,
} from './campaigns.store.ts';
import { checkCounters } from './check-counters.ts';
import { guardCampaign } from './guard-campaign.ts';

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
  return prisma.$transaction(
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
}
