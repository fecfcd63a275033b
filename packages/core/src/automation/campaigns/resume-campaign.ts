import { storeEvent } from '../../base/event-types/index.ts';
import { assertSenderAllowed, command, projectIdOf } from '../../base/kernel/index.ts';
import { releaseHeldBatches, signalBulkDelivery } from '../../mail/ledger/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertPause } from './campaigns.rules.ts';
import { campaignRecord, resumeCampaignInput } from './campaigns.schema.ts';
import { changeCampaign, findCampaign, lockCampaign, readCounters } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { guardCountsOf } from './guard.rules.ts';
import { presentCampaign } from './present-campaign.ts';

/** For how long the request releases batches; the others are released within a minute. */
const releasingMs = 1_500;

export const resumeCampaign = command({
  name: 'campaigns.resume',
  summary: 'Resumes a paused campaign: what is overdue is due at once',
  permission: 'data:write',
  risk: 'mail',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: resumeCampaignInput,
  output: campaignRecord,
  async handler(ctx, { id, guard }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertPause('resume', campaign);
    assertSenderAllowed(ctx.actor, campaign.from);
    const counters = await readCounters(ctx.db, id);
    await changeCampaign(ctx.db, id, {
      ...{ pausedAt: null, pauseReason: null, guard: guard ?? campaign.guard },
      ...(counters && { guardBase: { ...guardCountsOf(counters) } }),
    });
    await storeEvent(ctx.db, 'campaign.resumed', projectId, {
      campaignId: id,
      campaignName: campaign.name,
    });
    const isOther = guard !== undefined && guard !== campaign.guard;
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['pausedAt', ...(isOther ? ['guard'] : [])] });
    ctx.afterCommit(async () => {
      const begun = performance.now();
      while ((await releaseHeldBatches(ctx.services.database.prisma, { projectId, campaignId: id })) > 0)
        if (performance.now() - begun > releasingMs) break;
      await signalBulkDelivery(ctx.services, projectId);
    });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    const resumed = await findCampaign(ctx.db, projectId, id);
    if (!resumed) throw campaignNotFound();
    return presentCampaign(ctx, resumed);
  },
});
