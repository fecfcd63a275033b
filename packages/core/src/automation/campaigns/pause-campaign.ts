import { transactionTime } from '../../base/db/index.ts';
import { command, projectIdOf } from '../../base/kernel/index.ts';
import { assertPause } from './campaigns.rules.ts';
import { campaignIdInput, campaignRecord } from './campaigns.schema.ts';
import { findCampaign, lockCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { holdCampaign } from './hold-campaign.ts';
import { pauseLocked } from './pause-locked.ts';
import { presentCampaign } from './present-campaign.ts';

export const pauseCampaign = command({
  name: 'campaigns.pause',
  summary: 'Pauses a campaign that is being sent; emails that are being sent still finish and count',
  permission: 'data:write',
  risk: 'none',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: campaignRecord,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertPause('pause', campaign);
    await pauseLocked(ctx.db, campaign, { at: await transactionTime(ctx.db), reason: 'user' });
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['pausedAt'] });
    ctx.afterCommit(() => holdCampaign(ctx.services, { projectId, campaignId: id }));
    const paused = await findCampaign(ctx.db, projectId, id);
    if (!paused) throw campaignNotFound();
    return presentCampaign(ctx, paused);
  },
});
