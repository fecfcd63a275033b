import { projectIdOf, query } from '../kernel/index.ts';
import { breakDownAudience } from '../sending/index.ts';
import { queryAudience } from './campaign-audience.ts';
import { campaignAudience, campaignIdInput } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const getCampaignAudience = query({
  name: 'campaigns.audience',
  summary: 'Counts the contacts who would receive a campaign now, and those excluded by reason',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignAudience,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    const isSandbox = campaign.from === ctx.services.config.sandboxFrom;
    const { matched, willSend, sandbox, ...skipped } = await ctx.services.database.prisma.$transaction(
      (db) => queryAudience(db, campaign, (tx, request) => breakDownAudience(tx, request, isSandbox)),
      { timeout: 30_000 },
    );
    return { matched, willSend, skipped: isSandbox ? { ...skipped, sandbox } : skipped };
  },
});
