import { command, projectIdOf } from '../../base/kernel/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState } from './campaigns.rules.ts';
import { campaignIdInput, campaignRecord } from './campaigns.schema.ts';
import { changeCampaign, findCampaign, lockCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { presentCampaign } from './present-campaign.ts';

/** The row's lock decides between this and the start: after the reply the campaign does not start, or it has started and this is a conflict. */
export const unscheduleCampaign = command({
  name: 'campaigns.unschedule',
  summary: 'Makes a scheduled campaign a draft again',
  permission: 'data:write',
  risk: 'none',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: campaignRecord,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('unschedule', campaign.status);
    await changeCampaign(ctx.db, id, {
      ...{ status: 'DRAFT', scheduledFor: null, approvedHash: null },
      ...{ localAt: null, whenPassed: null },
    });
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['status', 'scheduledFor', 'localTime'] });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    const draft = await findCampaign(ctx.db, projectId, id);
    if (!draft) throw campaignNotFound();
    return presentCampaign(ctx, draft);
  },
});
