import { projectIdOf, query } from '../../base/kernel/index.ts';
import { breakDownCampaign } from './break-down-campaign.ts';
import { campaignAudience, previewAudienceInput } from './campaigns.schema.ts';
import { assertCondition, assertReferences } from './check-campaign.ts';
import { estimateCampaign } from './estimate-campaign.ts';

export const previewAudience = query({
  name: 'campaigns.previewAudience',
  summary:
    'Counts the contacts who would receive a campaign with this audience, and those excluded by reason',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND'],
  input: previewAudienceInput,
  output: campaignAudience,
  async handler(ctx, { segmentId, audienceCondition, estimate, ...audience }) {
    const { audienceType } = audience;
    await assertCondition(ctx, { audienceType, audienceCondition });
    await assertReferences(ctx, { audienceType, segmentId });
    const chosen = {
      ...audience,
      projectId: projectIdOf(ctx),
      segmentId: segmentId ?? null,
      audienceCondition,
    };
    return (estimate && (await estimateCampaign(ctx, chosen))) || breakDownCampaign(ctx, chosen);
  },
});
