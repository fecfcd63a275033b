import type { Operator } from '@postrider/core/audience/segments/contract';
import { operatorNames, withValue } from '../../common/filters/words.ts';

/** What decided at a condition, as an execution records it. */
export interface Reason {
  field: string;
  operator: Operator;
  expected: unknown;
  actual: unknown;
  matches: boolean;
}

/** Reasons that are named; the others are counted. */
const named = 3;

const text = (value: unknown): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);

function inWords({ field, operator, expected, actual, matches }: Reason): string {
  const name = operatorNames[operator] ?? operator;
  const asked = `${field} ${expected === null ? name : withValue(name, text(expected))}`;
  return `${asked}: ${matches ? 'yes' : 'no'} (${text(actual)})`;
}

/** Why a branch was taken: `data.plan is "pro": yes ("pro")`. */
export function reasonsInWords(reasons: readonly Reason[]): string {
  const more = reasons.length - named;
  const told = reasons.slice(0, named).map(inWords);
  return [...told, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
