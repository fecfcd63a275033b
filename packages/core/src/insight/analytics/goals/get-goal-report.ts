import { findGoal, goalNotFound, presentGoal } from '../../../automation/goals/index.ts';
import { amountOf, percent, within } from '../../../base/figures/index.ts';
import { projectIdOf, query } from '../../../base/kernel/index.ts';
import { quartersOf, runsOf } from '../buckets.rules.ts';
import { periodOf } from '../period.rules.ts';
import { goalReport, goalReportInput } from './goal-report.schema.ts';
import { conversionsByRun, creditedCampaigns, workflowsOfGoal } from './goal-report.store.ts';
import { liftOf } from './lift.rules.ts';

/** Up to this length a period is divided into hours. */
const hourlyUpToMs = 2 * 86_400_000;

export const getGoalReport = query({
  name: 'goals.getReport',
  summary: 'Returns how often a goal was reached, and which campaigns and workflows have led to it',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: goalReportInput,
  output: goalReport,
  async handler(ctx, { id, tz = 'UTC', ...ends }) {
    const projectId = projectIdOf(ctx);
    const goal = await findGoal(ctx.db, projectId, id);
    if (!goal) throw goalNotFound();
    const scope = { projectId, goalId: id };
    const given = periodOf(ends, new Date());
    const granularity =
      given.to.getTime() - given.from.getTime() <= hourlyUpToMs ? ('hour' as const) : ('day' as const);
    const runs = runsOf(given, tz, granularity);
    // Rows of the report and its sum are of the same moments.
    const period = quartersOf(given);
    const counted = await conversionsByRun(ctx.db, scope, runs, period.to);
    const campaigns = await creditedCampaigns(ctx.db, scope, period);
    const workflows = await workflowsOfGoal(ctx.db, scope, period);
    const shown = (sum: string | null): number | null => (goal.valueProperty === null ? null : amountOf(sum));
    const buckets = new Map<string, Sums>(runs.map(({ bucket }) => [bucket, noSums]));
    for (const { run, ...sums } of counted) {
      const bucket = runs[run]?.bucket;
      if (bucket !== undefined) buckets.set(bucket, added(buckets.get(bucket) ?? noSums, sums));
    }
    const rowOf = ({ conversions, value, credited, creditedValue }: Sums) => ({
      ...{ conversions, credited },
      value: goal.valueProperty === null ? null : value,
      creditedValue: goal.valueProperty === null ? null : creditedValue,
    });
    return {
      goal: presentGoal(goal),
      granularity,
      totals: rowOf([...buckets.values()].reduce(sumOf, noSums)),
      data: [...buckets].map(([bucket, sums]) => ({ bucket, ...rowOf(sums) })),
      campaigns: campaigns.map(({ creditedValue, ...row }) => ({
        ...row,
        creditedValue: shown(creditedValue),
      })),
      workflows: workflows.map(({ id: workflowId, name, credited, entered, converted, ...row }) => ({
        ...{ id: workflowId, name, credited, entered, converted },
        creditedValue: shown(row.creditedValue),
        rate: percent(converted, entered),
        value: shown(row.value),
        lift: liftOf(row),
      })),
    };
  },
});

interface Sums {
  conversions: number;
  value: number;
  credited: number;
  creditedValue: number;
}

const noSums: Sums = { conversions: 0, value: 0, credited: 0, creditedValue: 0 };

const sumOf = (one: Sums, other: Sums): Sums => ({
  conversions: one.conversions + other.conversions,
  value: within(one.value + other.value),
  credited: one.credited + other.credited,
  creditedValue: within(one.creditedValue + other.creditedValue),
});

const added = (
  sums: Sums,
  { value, creditedValue, ...counts }: Omit<Awaited<ReturnType<typeof conversionsByRun>>[number], 'run'>,
): Sums => sumOf(sums, { ...counts, value: amountOf(value), creditedValue: amountOf(creditedValue) });
