import { exitedOutcome, mostExits, otherExits } from '../../automation/workflows/figure-outcomes.rules.ts';
import { percent } from '../../base/figures/email-figures.rules.ts';

/** Sums of a step, or of executions as a whole, by outcome and by the seconds that it took. */
export interface OutcomeSums {
  outcome: string;
  spent: number;
  entered: number;
  left: number;
  failed: number;
  blocked: number;
}

const sumOf = (rows: readonly OutcomeSums[], column: 'entered' | 'left' | 'failed' | 'blocked'): number =>
  rows.reduce((sum, row) => sum + row[column], 0);

/** What half of those that left a step had spent there at most; null if nobody left it. */
export function medianOf(rows: readonly Pick<OutcomeSums, 'spent' | 'left'>[]): number | null {
  const total = rows.reduce((sum, { left }) => sum + left, 0);
  if (total <= 0) return null;
  let passed = 0;
  for (const { spent, left } of rows.toSorted((a, b) => a.spent - b.spent)) {
    passed += left;
    if (2 * passed >= total) return spent;
  }
  return null;
}

/** The figures of one step. */
export function stepFiguresOf(rows: readonly OutcomeSums[]) {
  const ways = Map.groupBy(
    rows.filter(({ outcome }) => outcome !== ''),
    ({ outcome }) => outcome,
  );
  const taken = [...ways]
    .map(([branch, each]) => ({ branch, taken: sumOf(each, 'left') }))
    .filter((way) => way.taken > 0)
    .sort((a, b) => b.taken - a.taken || (a.branch < b.branch ? -1 : 1));
  const all = taken.reduce((sum, way) => sum + way.taken, 0);
  return {
    entered: sumOf(rows, 'entered'),
    left: sumOf(rows, 'left'),
    failed: sumOf(rows, 'failed'),
    medianSeconds: medianOf(rows),
    branches: taken.map((way) => ({ ...way, share: percent(way.taken, all), converted: 0, value: 0 })),
  };
}

/** The figures of executions as a whole. */
export function executionFiguresOf(rows: readonly OutcomeSums[]) {
  const of = (name: string) => rows.filter(({ outcome }) => outcome === name);
  const exited = rows.filter(({ outcome }) => outcome.startsWith(exitedOutcome));
  const blocked = (reason: string) => sumOf(of(reason), 'blocked');
  return {
    entered: sumOf(rows, 'entered'),
    blocked: {
      filter: blocked('filter'),
      active: blocked('active'),
      again: blocked('again'),
      limit: blocked('limit'),
      every: blocked('every'),
    },
    ended: {
      completed: sumOf(of('COMPLETED'), 'left'),
      exited: sumOf(exited, 'left'),
      failed: sumOf(rows, 'failed'),
      cancelled: sumOf(of('CANCELLED'), 'left'),
    },
    exits: exitsOf(exited),
  };
}

function exitsOf(rows: readonly OutcomeSums[]): { name: string; count: number }[] {
  const counts = [...Map.groupBy(rows, ({ outcome }) => outcome.slice(exitedOutcome.length))]
    .map(([name, each]) => ({ name, count: sumOf(each, 'left') }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const named = counts.filter(({ name }) => name !== otherExits);
  const rest = [...named.slice(mostExits), ...counts.filter(({ name }) => name === otherExits)];
  const others = rest.reduce((sum, { count }) => sum + count, 0);
  return [...named.slice(0, mostExits), ...(others > 0 ? [{ name: otherExits, count: others }] : [])];
}
