import type { Db } from '../../base/db/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { type BreakdownBy, breakdown, breakdownInput } from './breakdown.schema.ts';
import { quartersOf } from './buckets.rules.ts';
import { previousOf } from './figures.rules.ts';
import { noSums, sumFigures } from './figures.store.ts';
import { findStepIds, findStepNames, findTemplateNames, type NamedKey } from './names.store.ts';
import { periodOf } from './period.rules.ts';
import { withRates } from './rates.rules.ts';

export const getBreakdown = query({
  name: 'analytics.breakdown',
  summary: 'Breaks the emails of a period down by template, workflow step, sender domain or mailbox provider',
  permission: 'data:read',
  input: breakdownInput,
  output: breakdown,
  async handler(ctx, { by, from, to, compare, workflowId, limit }) {
    const projectId = projectIdOf(ctx);
    const period = quartersOf(periodOf({ from, to }, new Date()));
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

function findNames(db: Db, projectId: string, by: BreakdownBy, keys: readonly string[]): Promise<NamedKey[]> {
  if (by === 'template') return findTemplateNames(db, projectId, keys);
  if (by === 'step') return findStepNames(db, projectId, keys);
  return Promise.resolve(keys.map((key) => ({ key, name: key, workflow: null })));
}
