import type { Comparison } from '../../base/lib/value-operators.rules.ts';
import { momentBefore, type ValueClock, type ValueRule, valueRule } from '../../base/lib/values.rules.ts';
import type { OccurrenceWindow } from './filters.rules.ts';

/** From `from` (included) to `to` (excluded), in milliseconds since 1970; infinite where it is open. */
export interface Period {
  from: number;
  to: number;
}

/**
 * When occurrences count. `last` has no end, so that an occurrence that was stored a moment ago by another clock counts; what lies before now
 * − `olderThan` counts. `from` is included; a day as `to` is its whole day, an instant is the end.
 */
export function periodOf(
  { last, olderThan, unit = 'days', from, to }: OccurrenceWindow,
  clock: ValueClock,
): Period {
  const ago = (amount: number): number => momentBefore(clock.now, amount, unit).getTime();
  const period: Period = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  if (last !== undefined) period.from = ago(last);
  if (olderThan !== undefined) period.to = ago(olderThan);
  if (from !== undefined) period.from = boundsOf('greaterThanOrEqual', from, clock).from;
  if (to !== undefined) period.to = boundsOf(isDay(to) ? 'lessThanOrEqual' : 'lessThan', to, clock).to;
  return period;
}

const isDay = (text: string): boolean => text.length === 10;

function boundsOf(operator: Comparison, text: string, clock: ValueClock): Period {
  const rule: ValueRule = valueRule(operator, text, 'days', clock);
  // A date was required when the filter was read.
  return rule.kind === 'inPeriod' ? rule.period.instants : { from: 0, to: 0 };
}

/** An index of a list, as PostgreSQL and JavaScript both read it. */
const listIndex = /^(?:0|[1-9]\d{0,8})$/;
/** What PostgreSQL's `#>` would take for an index as well. */
const looseIndex = /^\s*[+-]?\d+$/;

/**
 * The steps of a dotted path, in runs that PostgreSQL reads in one look: keys of objects and indexes of lists (`items.0.sku`). A key that
 * it would take for another index of a list, such as `-1`, is a run of its own, `onlyKey`.
 */
export function runsOf(property: string): { steps: string[]; onlyKey: boolean }[] {
  const runs: { steps: string[]; onlyKey: boolean }[] = [];
  for (const step of property.split('.')) {
    const onlyKey = looseIndex.test(step) && !listIndex.test(step);
    const before = runs.at(-1);
    if (before && !before.onlyKey && !onlyKey) before.steps.push(step);
    else runs.push({ steps: [step], onlyKey });
  }
  return runs;
}
