import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { assertNotReferenced, isUsed, stillUsed } from '../../base/references/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertDeletable } from './campaigns.rules.ts';
import { campaignIdInput } from './campaigns.schema.ts';
import { lockCampaign, removeCampaign } from './campaigns.store.ts';
import { clearDeleted } from './clear-campaign.ts';
import { openOfRound } from './family.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const deleteCampaign = command({
  name: 'campaigns.delete',
  summary: 'Deletes a campaign that is not scheduled or sending; its emails are kept',
  permission: 'data:write',
  risk: 'large',
  errors: ['CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: campaignIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertDeletable(campaign.status);
    await assertNotReferenced(ctx.db, projectId, `campaign.${id}`, id);
    const campaigns = campaign.frozenAt ? await openOfRound(ctx.db, campaign) : [];
    if (isUsed({ campaigns })) throw stillUsed('Its emails say who of its family has got one', { campaigns });
    await removeCampaign(ctx.db, projectId, id);
    ctx.audit({ targetType: 'campaign', targetId: id, name: campaign.name });
    if ((await clearDeleted(ctx.db, { projectId, campaignId: id }, 'small')) !== 'done') {
      ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    }
    return {};
  },
});
