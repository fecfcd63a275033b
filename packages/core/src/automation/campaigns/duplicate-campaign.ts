import { command, projectIdOf } from '../../base/kernel/index.ts';
import { nameOfCopy, presentDesign } from '../../content/templates/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { campaignIdInput, campaignNameLimit, campaignRecord } from './campaigns.schema.ts';
import { findCampaign, storedBytesOfCampaign } from './campaigns.store.ts';
import { copyCampaign } from './copy-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';
import { presentCampaign } from './present-campaign.ts';

export const duplicateCampaign = command({
  name: 'campaigns.duplicate',
  summary: 'Duplicates a campaign in any state as a draft with the same content and audience',
  permission: 'data:write',
  risk: 'none',
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignRecord,
  async prepare(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await assertStorage(ctx.services, projectId, await storedBytesOfCampaign(ctx.db, projectId, id));
  },
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const copy = await copyCampaign(ctx, campaign, nameOfCopy(campaign.name, campaignNameLimit));
    ctx.audit({ targetType: 'campaign', targetId: copy.id });
    return presentCampaign(ctx, presentDesign(copy));
  },
});
