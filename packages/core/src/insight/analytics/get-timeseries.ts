import { projectIdOf, query } from '../../base/kernel/index.ts';
import { timeseries, timeseriesInput } from './analytics.schema.ts';
import { quartersOf, runsOf } from './buckets.rules.ts';
import { previousOf } from './figures.rules.ts';
import { periodOf } from './period.rules.ts';
import { countFacts, type EmailFacts, noFacts } from './timeseries.store.ts';

/** Up to this length a period is divided into hours by default. */
const hourlyUpToMs = 2 * 86_400_000;

export const getTimeseries = query({
  name: 'analytics.timeseries',
  summary: 'Counts emails sent, delivered, opened, clicked, bounced and complained about, by hour or day',
  permission: 'data:read',
  input: timeseriesInput,
  output: timeseries,
  async handler(ctx, { tz = 'UTC', granularity: wanted, compare, ...ends }) {
    const period = periodOf(ends, new Date());
    const length = period.to.getTime() - period.from.getTime();
    const granularity = wanted ?? (length <= hourlyUpToMs ? 'hour' : 'day');
    const runs = runsOf(period, tz, granularity);
    const counted = await countFacts(ctx.db, projectIdOf(ctx), runs, quartersOf(period).to);
    const byBucket = new Map<string, EmailFacts>(runs.map(({ bucket }) => [bucket, noFacts]));
    for (const { run, ...facts } of counted) {
      const bucket = runs[run]?.bucket;
      if (bucket !== undefined) byBucket.set(bucket, sum(byBucket.get(bucket) ?? noFacts, facts));
    }
    const series = { granularity, data: [...byBucket].map(([bucket, facts]) => ({ bucket, ...facts })) };
    if (!compare) return series;
    const whole = quartersOf(period);
    const before = previousOf(whole);
    const past = await countFacts(ctx.db, projectIdOf(ctx), [{ bucket: '', start: before.from }], before.to);
    return {
      ...series,
      totals: counted.map(factsOf).reduce(sum, noFacts),
      previous: past.map(factsOf).reduce(sum, noFacts),
    };
  },
});

const factsOf = ({ run: _, ...facts }: EmailFacts & { run: number }): EmailFacts => facts;

const sum = (a: EmailFacts, b: EmailFacts): EmailFacts => ({
  sent: a.sent + b.sent,
  delivered: a.delivered + b.delivered,
  opened: a.opened + b.opened,
  clicked: a.clicked + b.clicked,
  bounced: a.bounced + b.bounced,
  refused: a.refused + b.refused,
  complained: a.complained + b.complained,
});
