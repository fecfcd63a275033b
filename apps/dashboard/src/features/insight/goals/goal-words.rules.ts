import type { Goal } from '../../../lib/api.ts';
import { formatValue, plural } from '../../../lib/format.ts';

const touches: Readonly<Record<Goal['attribution'], string>> = {
  CLICK: 'clicked',
  OPEN: 'opened',
  SENT: 'sent',
};

/** What credits a conversion to an email, in words. */
export const creditInWords = ({
  attribution,
  windowDays,
}: Pick<Goal, 'attribution' | 'windowDays'>): string =>
  `The last email ${touches[attribution]} in the ${plural(windowDays, 'day')} before`;

interface Condition {
  property: string;
  operator: string;
  value?: unknown;
}

const signs: Readonly<Record<string, string>> = {
  equals: 'is',
  notEquals: 'is not',
  greaterThan: '>',
  lessThan: '<',
  greaterThanOrEqual: '≥',
  lessThanOrEqual: '≤',
  contains: 'contains',
  exists: 'is set',
  notExists: 'is not set',
};

/** A condition on the data of an event, in words. */
export const conditionInWords = ({ property, operator, value }: Condition): string =>
  [
    property,
    signs[operator] ?? operator,
    ...(value === undefined ? [] : [typeof value === 'string' ? `“${value}”` : JSON.stringify(value)]),
  ].join(' ');

/** A value of a goal, with its currency. */
export const valueInWords = (value: number | null, goal: Pick<Goal, 'value'>): string =>
  value === null || goal.value === null ? '–' : formatValue(value, goal.value.currency);
