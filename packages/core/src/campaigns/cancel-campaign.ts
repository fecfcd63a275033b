import { command, projectIdOf } from '../kernel/index.ts';
import { skipWaiting } from '../sending/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState } from './campaigns.rules.ts';
import { campaignIdInput, campaignRecord } from './campaigns.schema.ts';
import { changeCampaign, findCampaign, lockCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

/**
 * The number of emails skipped within the request, claimed ones included; the rest are skipped in the background and
 * can no longer begin.
 */
const withinRequest = 2_000;

export const cancelCampaign = command({
  name: 'campaigns.cancel',
  summary: 'Cancels a scheduled or sending campaign; emails that are being sent still finish and count',
  permission: 'data:write',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: campaignRecord,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('cancel', campaign.status);
    await changeCampaign(ctx.db, id, { status: 'CANCELLED' });
    await skipWaiting(ctx.db, { projectId, campaignId: id }, 'cancelled', withinRequest);
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['status'] });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    const cancelled = await findCampaign(ctx.db, projectId, id);
    if (!cancelled) throw campaignNotFound();
    return cancelled;
  },
});
