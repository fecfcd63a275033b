import { median } from '@postrider/harness/statistics';
import type { Series } from './bench.ts';

export interface Judged extends Series {
  median: number;
  /** the median divided by that of `against`; null without `against` */
  ratio: number | null;
  /** null without a goal */
  reached: boolean | null;
}

/** Computes medians and ratios, and whether goals are reached. */
export function judge(series: readonly Series[]): Judged[] {
  const medians = new Map(series.map(({ label, rounds }) => [label, median(rounds)]));
  return series.map((one) => {
    const value = medians.get(one.label) ?? 0;
    const other = one.against === undefined ? undefined : medians.get(one.against);
    const ratio = other ? value / other : null;
    return { ...one, median: value, ratio, reached: isReached(ratio ?? value, one.goal) };
  });
}

/** Formats the figures as the lines of a table. */
export function formatTable(judged: readonly Judged[]): string[] {
  const rows = judged.map((one) => {
    const text = (value: number): string => value.toFixed(one.digits ?? 0);
    return [
      one.label,
      text(one.median),
      one.unit,
      one.rounds.map(text).join(' '),
      one.ratio === null ? '' : `${one.ratio.toFixed(2)} × ${one.against}`,
      describeGoal(one),
    ];
  });
  const table = [['', 'median', 'unit', 'rounds', 'ratio', 'goal'], ...rows];
  const widths =
    table[0]?.map((_title, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function describeGoal({ goal, reached }: Judged): string {
  if (!goal) return '';
  const wanted = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `< ${goal.below}`;
  return `${wanted} ${reached ? 'reached' : 'MISSED'}`;
}

function isReached(value: number, goal: Series['goal']): boolean | null {
  if (!goal) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value < goal.below;
}
