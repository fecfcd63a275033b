import { namedTopic } from '../../audience/topics/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { breakDownCampaign } from './break-down-campaign.ts';
import { campaignAudience, previewAudienceInput } from './campaigns.schema.ts';
import { findPlace } from './campaigns.store.ts';
import { assertCondition, assertReferences } from './check-campaign.ts';
import { estimateCampaign } from './estimate-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';

export const previewAudience = query({
  name: 'campaigns.previewAudience',
  summary:
    'Counts the contacts who would receive a campaign with this audience, and those excluded by reason',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND', 'SEGMENT_NOT_FOUND'],
  input: previewAudienceInput,
  output: campaignAudience,
  async handler(ctx, { segmentId, audienceCondition, estimate, topic, campaignId, ...audience }) {
    const { audienceType } = audience;
    await assertCondition(ctx, { audienceType, audienceCondition });
    await assertReferences(ctx, { audienceType, segmentId });
    const projectId = projectIdOf(ctx);
    const place = campaignId === undefined ? null : await findPlace(ctx.db, projectId, campaignId);
    if (campaignId !== undefined && !place) throw campaignNotFound();
    const chosen = {
      ...audience,
      ...place,
      projectId,
      topicId: (await namedTopic(ctx.db, projectId, topic))?.id ?? null,
      segmentId: segmentId ?? null,
      audienceCondition,
    };
    return (estimate && (await estimateCampaign(ctx, chosen))) || breakDownCampaign(ctx, chosen);
  },
});
