import {
  equalPartsTest,
  fisherTest,
  lnEvidence,
  ratioOf,
  type Values,
  welchTest,
} from '../../../base/lib/statistics.rules.ts';
import type { TestMetric, VariantKey } from './variants.rules.ts';

/** What the emails of a variant did, by the metric of its test. */
export interface VariantResult {
  key: VariantKey;
  /** emails that a mail server took, and that did not come back */
  accepted: number;
  /** of these, those that were clicked or opened, or whose contact reached the goal */
  converted: number;
  /** of REVENUE: the values of its recipients, those of rare size cut */
  value: { sum: number; squares: number };
}

/** Fewer conversions in all prove nothing before the end. */
const leastInAll = 50;
/** What each comparison must reach before the end, times the number of comparisons. */
const leastEvidence = 100;
/** The level of all comparisons at the end together. */
const levelAtEnd = 0.04;
/** Of REVENUE, fewer conversions of a variant prove nothing. */
const leastOfRevenue = 100;
/** Parts so unequal have a probability below this, if the variants arrive alike. */
const levelOfMismatch = 0.001;

const scoreOf = (metric: TestMetric, { accepted, converted, value }: VariantResult): number =>
  metric === 'REVENUE' ? (accepted === 0 ? 0 : value.sum / accepted) : converted;

/** The variant that is ahead; of equal ones the first. */
export function leaderOf(metric: TestMetric, results: readonly VariantResult[]): VariantResult {
  const [first, ...others] = results;
  if (!first) throw new RangeError('a test has no variants');
  return others.reduce(
    (leader, result) => (scoreOf(metric, result) > scoreOf(metric, leader) ? result : leader),
    first,
  );
}

const othersThan = (leader: VariantResult, results: readonly VariantResult[]): VariantResult[] =>
  results.filter(({ key }) => key !== leader.key);

const conversionsOf = (one: VariantResult, other: VariantResult) => ({
  a: one.converted,
  b: other.converted,
});

/**
 * Whether the leader differs from every other variant, asked at any time and as often as one likes (behaviour B13.12). Values have no such test: of
 * REVENUE nothing is proven before the end.
 */
export function isProvenByEvidence(metric: TestMetric, results: readonly VariantResult[]): boolean {
  if (metric === 'REVENUE') return false;
  if (results.reduce((sum, { converted }) => sum + converted, 0) < leastInAll) return false;
  const leader = leaderOf(metric, results);
  const others = othersThan(leader, results);
  return others.every((other) => isAhead(leader, other, others.length));
}

const isAhead = (leader: VariantResult, other: VariantResult, comparisons: number): boolean =>
  leader.converted > other.converted &&
  lnEvidence(conversionsOf(leader, other)) >= Math.log(leastEvidence * comparisons);

const valuesOf = ({ accepted: size, value: { sum, squares } }: VariantResult): Values => ({
  size,
  mean: sum / size,
  variance: Math.max(0, (squares - sum ** 2 / size) / (size - 1)),
});

const groupOf = ({ accepted, converted }: VariantResult) => ({
  size: Math.max(accepted, converted),
  converted,
});

/** Whether the leader differs from every other variant at the end, which is asked once. */
export function isProvenAtEnd(metric: TestMetric, results: readonly VariantResult[]): boolean {
  const leader = leaderOf(metric, results);
  const others = othersThan(leader, results);
  const level = levelAtEnd / others.length;
  if (metric === 'REVENUE') {
    if (results.some(({ converted }) => converted < leastOfRevenue)) return false;
    return others.every(
      (other) =>
        scoreOf(metric, leader) > scoreOf(metric, other) &&
        welchTest(valuesOf(leader), valuesOf(other)) <= level,
    );
  }
  return others.every(
    (other) => leader.converted > other.converted && fisherTest(groupOf(leader), groupOf(other)) <= level,
  );
}

/** Whether something but chance has kept emails of a variant from arriving. */
export const isMismatch = (results: readonly VariantResult[]): boolean =>
  equalPartsTest(results.map(({ accepted }) => accepted)) < levelOfMismatch;

/** A comparison of the leader with another variant. */
interface Pair {
  key: VariantKey;
  against: VariantKey;
  /** of the rates, of REVENUE of the values per recipient; null where the other one has none */
  ratio: number | null;
  /** bounds that hold at all times together with a probability of 95 %; null for no bound, and of REVENUE */
  low: number | null;
  high: number | null;
  proven: boolean;
}

const rounded = (ratio: number | null): number | null =>
  ratio === null ? null : Math.round(ratio * 10_000) / 10_000;

/** The leader against every other variant, as the evidence is now. */
export function pairsOf(metric: TestMetric, results: readonly VariantResult[]): Pair[] {
  const leader = leaderOf(metric, results);
  const others = othersThan(leader, results);
  const enough = results.reduce((sum, { converted }) => sum + converted, 0) >= leastInAll;
  return others.map((other) => {
    const pair = { key: leader.key, against: other.key };
    if (metric === 'REVENUE') {
      const [one, two] = [scoreOf(metric, leader), scoreOf(metric, other)];
      return { ...pair, ratio: two === 0 ? null : rounded(one / two), low: null, high: null, proven: false };
    }
    const { ratio, low, high } = ratioOf(conversionsOf(leader, other));
    return {
      ...pair,
      ...{ ratio: rounded(ratio), low: rounded(low), high: rounded(high) },
      proven: enough && isAhead(leader, other, others.length),
    };
  });
}

type Verdict =
  /** nothing is decided yet */
  | { kind: 'goes_on' }
  | { kind: 'decided'; winner: VariantKey; by: 'EVIDENCE' | 'END'; proven: boolean }
  /** a person has to decide */
  | { kind: 'undecided'; mismatch: boolean };

/**
 * What a look at a running test finds. With `MANUAL`, and where the variants arrived in unequal parts, nothing is decided without a person.
 *
 * @param isOver whether its time is over
 */
export function verdictOf(
  { metric, decide }: { metric: TestMetric; decide: 'AUTOMATIC' | 'MANUAL' },
  results: readonly VariantResult[],
  isOver: boolean,
): Verdict {
  const mismatch = isMismatch(results);
  const mayDecide = decide === 'AUTOMATIC' && !mismatch;
  const winner = leaderOf(metric, results).key;
  if (mayDecide && isProvenByEvidence(metric, results))
    return { kind: 'decided', winner, by: 'EVIDENCE', proven: true };
  if (!isOver) return { kind: 'goes_on' };
  return mayDecide
    ? { kind: 'decided', winner, by: 'END', proven: isProvenAtEnd(metric, results) }
    : { kind: 'undecided', mismatch };
}
