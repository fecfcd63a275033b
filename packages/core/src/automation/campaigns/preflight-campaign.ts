import { projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignIdInput, campaignPreflight } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { checkBeforeSending } from './check-before-sending.ts';
import { campaignNotFound } from './get-campaign.ts';
import { hashedFieldsOf } from './hash-campaign.ts';
import { setupOf } from './variants/present-test.ts';

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
    const { design, scheduledFor, familyId, round, approvedHash } = campaign;
    // The checks read the designs of variants, too.
    const fields = { ...hashedFieldsOf(campaign), design, test: setupOf(campaign.test) };
    return checkBeforeSending(ctx, fields, scheduledFor, {
      ...{ id, projectId: campaign.projectId, familyId, round },
      approvedHash,
    });
  },
});
