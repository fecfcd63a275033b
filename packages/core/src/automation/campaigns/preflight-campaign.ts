import { projectIdOf, query } from '../../base/kernel/index.ts';
import { contentOf } from '../../content/templates/index.ts';
import { campaignIdInput, campaignPreflight } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { checkBeforeSending } from './check-before-sending.ts';
import { campaignNotFound } from './get-campaign.ts';

export const preflightCampaign = query({
  name: 'campaigns.preflight',
  summary: 'Checks a campaign before it is sent: what would refuse a send, and what should be mended first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignPreflight,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    const { design, topicId, audienceType, segmentId, templateId, exemptFromLimits, holdout, utm } = campaign;
    const audienceCondition = campaign.audienceCondition as object | null;
    return checkBeforeSending(
      ctx,
      {
        ...contentOf(campaign),
        design,
        topicId,
        audienceType,
        segmentId,
        audienceCondition,
        templateId,
        exemptFromLimits,
        holdout,
        utm,
      },
      {
        careful: campaign.careful,
        scheduledFor: campaign.scheduledFor,
        place: {
          id: campaign.id,
          projectId: campaign.projectId,
          familyId: campaign.familyId,
          round: campaign.round,
        },
      },
    );
  },
});
