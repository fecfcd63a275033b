import type { Db } from '../../base/db/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { contactGrowth, contactGrowthInput } from './breakdown.schema.ts';
import { quartersOf, type Run, runsOf } from './buckets.rules.ts';
import { previousOf } from './figures.rules.ts';
import { countGrowth, countSubscriptionChanges } from './growth.store.ts';
import { type Period, periodOf } from './period.rules.ts';

export const getContactGrowth = query({
  name: 'analytics.contactGrowth',
  summary: 'Counts contacts created, deleted and unsubscribed by day, and how many there were',
  permission: 'data:read',
  input: contactGrowthInput,
  output: contactGrowth,
  async handler(ctx, { from, to, tz = 'UTC', compare }) {
    const projectId = projectIdOf(ctx);
    const period = periodOf({ from, to }, new Date());
    const present = await growthOf(ctx.db, projectId, period, tz);
    const before = compare ? await growthOf(ctx.db, projectId, previousOf(period), tz) : null;
    return { ...present, ...(before && { previous: before.totals }) };
  },
});

interface Growth {
  created: number;
  removed: number;
  unsubscribed: number;
  resubscribed: number;
}

const none: Growth = { created: 0, removed: 0, unsubscribed: 0, resubscribed: 0 };

async function growthOf(
  db: Db,
  projectId: string,
  period: Period,
  tz: string,
): Promise<{ data: (Growth & { bucket: string; total: number })[]; totals: Growth }> {
  const runs = runsOf(period, tz, 'day');
  const { to } = quartersOf(period);
  const [sums, changes] = await Promise.all([
    countGrowth(db, projectId, runs, to),
    countSubscriptionChanges(db, projectId, runs, to),
  ]);
  const dayOf = ({ bucket }: Run, run: number): Growth & { bucket: string } => {
    const { created, removed } = sums.find((each) => each.run === run) ?? none;
    const changed = (name: string): number =>
      changes.find((each) => each.run === run && each.name === name)?.count ?? 0;
    return {
      bucket,
      created,
      removed,
      unsubscribed: changed('contact.unsubscribed'),
      resubscribed: changed('contact.subscribed'),
    };
  };
  const days = runs.map(dayOf);
  const before = sums.find(({ run }) => run < 0);
  let total = (before?.created ?? 0) - (before?.removed ?? 0);
  const data = days.map((day) => {
    total += day.created - day.removed;
    return { ...day, total: Math.max(0, total) };
  });
  return { data, totals: days.reduce(add, none) };
}

const add = (a: Growth, b: Growth): Growth => ({
  created: a.created + b.created,
  removed: a.removed + b.removed,
  unsubscribed: a.unsubscribed + b.unsubscribed,
  resubscribed: a.resubscribed + b.resubscribed,
});
