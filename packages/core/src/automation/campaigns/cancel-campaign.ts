import { command, projectIdOf } from '../../base/kernel/index.ts';
import { skipWaiting, stopCampaign } from '../../mail/ledger/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState } from './campaigns.rules.ts';
import { campaignIdInput, campaignRecord } from './campaigns.schema.ts';
import { changeCampaign, findCampaign, lockCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { presentCampaign } from './present-campaign.ts';

/** The number of waiting batches skipped within the request; the rest are skipped in the background and can no longer begin. */
const withinRequest = 1_000;
/** Batches skipped by one statement. */
const batchesAtOnce = 10;
/** For how long the request skips batches. */
const skippingMs = 500;

export const cancelCampaign = command({
  name: 'campaigns.cancel',
  summary: 'Cancels a scheduled or sending campaign; emails that are being sent still finish and count',
  permission: 'data:write',
  risk: 'none',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: campaignRecord,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('cancel', campaign.status);
    await changeCampaign(ctx.db, id, { status: 'CANCELLED', retryBefore: null, retryStatuses: [] });
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['status'] });
    // After the commit and before the reply: what is claimed from now on reads the new status, what is held is stopped.
    ctx.afterCommit(async () => {
      const { prisma } = ctx.services.database;
      await stopCampaign(prisma, id);
      const begun = performance.now();
      for (let skipped = 0; skipped < withinRequest && performance.now() - begun < skippingMs; ) {
        const batches = await skipWaiting(prisma, { projectId, campaignId: id }, 'cancelled', batchesAtOnce);
        if (batches === 0) break;
        skipped += batches;
      }
    });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    const cancelled = await findCampaign(ctx.db, projectId, id);
    if (!cancelled) throw campaignNotFound();
    return presentCampaign(ctx, cancelled);
  },
});
