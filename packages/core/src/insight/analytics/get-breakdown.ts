import type { z } from 'zod';
import { campaignNotFound, figuresOfVariants, findCampaign } from '../../automation/campaigns/index.ts';
import type { Db } from '../../base/db/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { type BreakdownBy, breakdown, breakdownInput } from './breakdown.schema.ts';
import { quartersOf } from './buckets.rules.ts';
import { type DiagnosisSums, sumDiagnoses } from './diagnosis.store.ts';
import { previousOf } from './figures.rules.ts';
import { noSums, sumCampaigns, sumFigures } from './figures.store.ts';
import { findStepIds, findStepNames, findTemplateNames, type NamedKey } from './names.store.ts';
import { type Period, periodOf } from './period.rules.ts';
import { withRates } from './rates.rules.ts';

export const getBreakdown = query({
  name: 'analytics.breakdown',
  summary:
    'Breaks the emails of a period down by template, workflow step, sender domain, mailbox provider, tag, campaign, variant of a campaign, or what receiving servers said',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: breakdownInput,
  output: breakdown,
  async handler(ctx, { by, from, to, compare, workflowId, campaignId, limit }) {
    const projectId = projectIdOf(ctx);
    if (by === 'variant') return byVariant(ctx.db, projectId, campaignId);
    const period = quartersOf(periodOf({ from, to }, new Date()));
    if (by === 'campaign') return byCampaign(ctx.db, projectId, period, { compare, limit });
    if (by === 'diagnosis') return byDiagnosis(ctx.db, projectId, period, { compare, limit });
    const steps = by === 'step' && workflowId ? await findStepIds(ctx.db, projectId, workflowId) : undefined;
    const all = await sumFigures(ctx.db, { projectId, dimension: by, keys: steps }, period);
    const rows = all.sort((a, b) => b.sent - a.sent || (a.key < b.key ? -1 : 1)).slice(0, limit);
    const keys = rows.map(({ key }) => key);
    const [names, before] = await Promise.all([
      findNames(ctx.db, projectId, by, keys),
      compare ? sumFigures(ctx.db, { projectId, dimension: by, keys }, previousOf(period)) : null,
    ]);
    const named = new Map(names.map((name) => [name.key, name]));
    const previous = before && new Map(before.map((sums) => [sums.key, sums]));
    return {
      by,
      data: rows.map(({ key, ...sums }) => ({
        key,
        name: named.get(key)?.name ?? null,
        workflow: named.get(key)?.workflow ?? null,
        ...withRates(sums),
        ...(previous && { previous: withRates(previous.get(key) ?? noSums) }),
      })),
    };
  },
});

/** By campaign: of those that there still are. */
async function byCampaign(
  db: Db,
  projectId: string,
  period: Period,
  { compare, limit }: { compare?: boolean | undefined; limit: number },
): Promise<z.input<typeof breakdown>> {
  const all = await sumCampaigns(db, projectId, period, null);
  const rows = all.sort((a, b) => b.sent - a.sent || (a.key < b.key ? -1 : 1)).slice(0, limit);
  const ids = rows.map(({ key }) => key);
  const before = compare ? await sumCampaigns(db, projectId, previousOf(period), ids) : null;
  const previous = before && new Map(before.map((sums) => [sums.key, sums]));
  return {
    by: 'campaign',
    data: rows.map(({ key, name, ...sums }) => ({
      ...{ key, name, workflow: null },
      ...withRates(sums),
      ...(previous && { previous: withRates(previous.get(key) ?? noSums) }),
    })),
  };
}

/** By variant of a campaign, and the rest: in the order of their keys. */
async function byVariant(
  db: Db,
  projectId: string,
  campaignId: string | undefined,
): Promise<z.input<typeof breakdown>> {
  const campaign = campaignId && (await findCampaign(db, projectId, campaignId));
  if (!campaign) throw campaignNotFound();
  const variants = await figuresOfVariants(db, campaign);
  return {
    by: 'variant',
    data: variants.map((figures) => ({
      ...{ key: figures.key, name: figures.key, workflow: null },
      ...withRates(figures),
    })),
  };
}

/** What was refused or reported, by its class (behaviour B3.7). */
async function byDiagnosis(
  db: Db,
  projectId: string,
  period: Period,
  { compare, limit }: { compare?: boolean | undefined; limit: number },
): Promise<z.input<typeof breakdown>> {
  const [rows, before] = await Promise.all([
    sumDiagnoses(db, projectId, period),
    compare ? sumDiagnoses(db, projectId, previousOf(period)) : null,
  ]);
  const previous = before && new Map(before.map((sums) => [sums.key, sums]));
  const weight = ({ failed, bounced }: DiagnosisSums): number => failed + bounced;
  const shown = rows.sort((a, b) => weight(b) - weight(a) || (a.key < b.key ? -1 : 1)).slice(0, limit);
  return {
    by: 'diagnosis',
    data: shown.map(({ key, failed, ...sums }) => {
      const earlier = previous?.get(key);
      return {
        key,
        name: key,
        workflow: null,
        failed,
        ...withRates(sums),
        ...(previous && { previous: { failed: earlier?.failed ?? 0, ...withRates(earlier ?? noSums) } }),
      };
    }),
  };
}

function findNames(
  db: Db,
  projectId: string,
  by: Exclude<BreakdownBy, 'diagnosis' | 'campaign' | 'variant'>,
  keys: readonly string[],
): Promise<NamedKey[]> {
  if (by === 'template') return findTemplateNames(db, projectId, keys);
  if (by === 'step') return findStepNames(db, projectId, keys);
  return Promise.resolve(keys.map((key) => ({ key, name: key, workflow: null })));
}
