import { campaignNotFound, figuresOfVariants, findCampaign } from '../../automation/campaigns/index.ts';
import { countsOfCampaign } from '../../base/figures/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignReport, campaignReportInput } from './breakdown.schema.ts';
import type { Run } from './buckets.rules.ts';
import { goalOfCampaign } from './campaign-goal.ts';
import { clientRowsOf } from './client-rows.ts';
import { campaignSeries, noSums, sumOfCampaign } from './figures.store.ts';
import { topLinks } from './links.store.ts';
import { providersOfCampaign } from './providers-of-campaign.ts';
import { countsOf, withRates } from './rates.rules.ts';
import { reportRuns } from './report-buckets.rules.ts';

const mostLinks = 100;

export const getCampaignReport = query({
  name: 'analytics.campaignReport',
  summary: 'Returns how a campaign did over time, by link, mail client, device and mailbox provider',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: campaignReportInput,
  output: campaignReport,
  async handler(ctx, { id, tz = 'UTC' }) {
    const projectId = projectIdOf(ctx);
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const scope = { projectId, campaignId: id };
    const runs = campaign.sentAt && reportRuns(campaign.sentAt, new Date(), tz);
    const [buckets, links, clients, devices, providers, led, variants] = await Promise.all([
      runs ? campaignSeries(ctx.db, scope, startsOf([...runs.hours, ...runs.days]), runs.end) : [],
      topLinks(ctx.db, { projectId, scopeId: id }, mostLinks),
      sumOfCampaign(ctx.db, scope, 'client'),
      sumOfCampaign(ctx.db, scope, 'device'),
      providersOfCampaign(ctx.db, scope),
      goalOfCampaign(ctx.db, campaign),
      figuresOfVariants(ctx.db, campaign),
    ]);
    const shown = clientRowsOf(clients, devices);
    const byBucket = new Map(buckets.map((sums) => [sums.bucket, sums]));
    const rowOf =
      (first: number) =>
      ({ bucket }: Run, index: number) => ({ bucket, ...countsOf(byBucket.get(first + index) ?? noSums) });
    return {
      id,
      name: campaign.name,
      subject: campaign.subject,
      status: campaign.status,
      sentAt: campaign.sentAt,
      finishedAt: campaign.closedAt,
      totalRecipients: campaign.totalRecipients,
      ...withRates(countsOfCampaign(campaign)),
      hours: runs ? runs.hours.map(rowOf(0)) : [],
      days: runs ? runs.days.map(rowOf(runs.hours.length)) : [],
      links,
      ...shown,
      machine: machineOf(shown),
      ...led,
      variants,
      providers,
    };
  },
});

/** Opens and clicks of machines, which are no person's. */
function machineOf({ clients }: ReturnType<typeof clientRowsOf>): { opens: number; clicks: number } {
  const machines = clients.filter(({ kind }) => kind === 'machine');
  return {
    opens: machines.reduce((sum, { opens }) => sum + opens, 0),
    clicks: machines.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}

const startsOf = (runs: readonly Run[]): Date[] => runs.map(({ start }) => start);
