import { command, emptyObject, projectIdOf } from '../kernel/index.ts';
import { detachEmails, skipWaiting } from '../sending/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertDeletable } from './campaigns.rules.ts';
import { campaignIdInput } from './campaigns.schema.ts';
import { lockCampaign, removeCampaign, removeCounters } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

/** The number of emails whose campaign id is cleared within the request; the rest follow in the background. */
const withinRequest = 1_000;

export const deleteCampaign = command({
  name: 'campaigns.delete',
  summary: 'Deletes a campaign that is not scheduled or sending; its emails are kept',
  permission: 'data:write',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertDeletable(campaign.status);
    const skipped = await skipWaiting(ctx.db, { projectId, campaignId: id }, 'cancelled', withinRequest);
    const detached = await detachEmails(ctx.db, id, withinRequest);
    await removeCampaign(ctx.db, projectId, id);
    ctx.audit({ targetType: 'campaign', targetId: id });
    if (skipped < withinRequest && detached < withinRequest) {
      await removeCounters(ctx.db, id);
    } else {
      ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    }
    return {};
  },
});
