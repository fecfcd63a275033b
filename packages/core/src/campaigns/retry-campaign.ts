import { command, projectIdOf } from '../kernel/index.ts';
import { requeueEmails, signalBulkDelivery } from '../sending/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState } from './campaigns.rules.ts';
import { retryCampaignInput, retryCampaignOutput } from './campaigns.schema.ts';
import { changeCampaign, lockCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const retryCampaign = command({
  name: 'campaigns.retry',
  summary: 'Queues the failed or uncertain emails of a campaign again',
  permission: 'data:write',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: retryCampaignInput,
  output: retryCampaignOutput,
  async handler(ctx, { id, statuses }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('retry', campaign.status);
    const requeued = await requeueEmails(ctx.db, { projectId, campaignId: id }, statuses);
    ctx.audit({ targetType: 'campaign', targetId: id, changed: requeued > 0 ? ['status'] : [] });
    if (requeued > 0) {
      await changeCampaign(ctx.db, id, { status: 'SENDING', closedAt: null });
      ctx.afterCommit(() => signalBulkDelivery(ctx.services, projectId));
      ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    }
    return { requeued };
  },
});
