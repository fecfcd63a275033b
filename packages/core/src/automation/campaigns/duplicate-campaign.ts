import { assertSenderAllowed, command, projectIdOf } from '../../base/kernel/index.ts';
import { contentOf, nameOfCopy, presentDesign, readTexts, textsOf } from '../../content/templates/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { campaignIdInput, campaignNameLimit, campaignRecord } from './campaigns.schema.ts';
import { findCampaign, insertCampaign, storedBytesOfCampaign } from './campaigns.store.ts';
import { estimateRecipients } from './estimate-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';

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
    assertSenderAllowed(ctx.actor, campaign.from);
    const {
      description,
      templateId,
      exemptFromLimits,
      guard,
      perHour,
      careful,
      holdout,
      topicId,
      audienceType,
      segmentId,
      audienceCondition,
      reads,
    } = campaign;
    const { reads: textReads } = await readTexts(ctx.services, projectId, textsOf(campaign));
    const copy = await insertCampaign(ctx.db, projectId, {
      name: nameOfCopy(campaign.name, campaignNameLimit),
      description,
      ...contentOf(campaign),
      design: campaign.design,
      templateId,
      exemptFromLimits,
      guard,
      perHour,
      careful,
      holdout,
      topicId,
      audienceType,
      segmentId,
      audienceCondition: audienceCondition as object | null,
      reads,
      textReads,
      totalRecipients: await estimateRecipients(ctx.db, campaign),
    });
    ctx.audit({ targetType: 'campaign', targetId: copy.id });
    return presentDesign(copy);
  },
});
