import { campaignNotFound, findCampaigns } from '../../automation/campaigns/index.ts';
import { countsOfCampaign } from '../../base/figures/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignComparison, compareCampaignsInput, lastHour } from './compare.schema.ts';
import { type CurvePoint, campaignCurves } from './figures.store.ts';
import { withRates } from './rates.rules.ts';

const hourMs = 3_600_000;

export const compareCampaigns = query({
  name: 'analytics.compareCampaigns',
  summary:
    'Returns the figures of several campaigns side by side, with their opens and clicks by hours since they were sent',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: compareCampaignsInput,
  output: campaignComparison,
  async handler(ctx, { campaignIds }) {
    const projectId = projectIdOf(ctx);
    const found = new Map(
      (await findCampaigns(ctx.db, projectId, campaignIds)).map((campaign) => [campaign.id, campaign]),
    );
    const campaigns = campaignIds.map((id) => {
      const campaign = found.get(id);
      if (!campaign) throw campaignNotFound();
      return campaign;
    });
    const started = campaigns.flatMap(({ id, sentAt }) => (sentAt ? [{ id, sentAt }] : []));
    const points = Map.groupBy(
      await campaignCurves(ctx.db, projectId, started, lastHour),
      ({ campaignId }) => campaignId,
    );
    const now = Date.now();
    return {
      data: campaigns.map((campaign) => ({
        id: campaign.id,
        name: campaign.name,
        sentAt: campaign.sentAt,
        ...withRates(countsOfCampaign(campaign)),
        converted: campaign.convertedCount,
        value: campaign.convertedValue,
        curve: campaign.sentAt ? curveOf(campaign.sentAt, now, points.get(campaign.id) ?? []) : [],
      })),
    };
  },
});

/** The hours that have begun, also those in which nothing happened. */
function curveOf(sentAt: Date, now: number, points: readonly CurvePoint[]) {
  const hours = Math.min(lastHour, Math.max(0, Math.floor((now - sentAt.getTime()) / hourMs)));
  const byHour = new Map(points.map(({ hour, opened, clicked }) => [hour, { opened, clicked }]));
  return Array.from({ length: hours + 1 }, (_, hour) => ({
    hour,
    ...(byHour.get(hour) ?? { opened: 0, clicked: 0 }),
  }));
}
