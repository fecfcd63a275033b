/** The grammar of filter trees and the references a tree reads (behaviour B2.5). Pure: the dashboard's filter builder uses it too. */

import { addressPartsSought, addressSought } from '../../base/kernel/schemas.ts';

export const logics = ['AND', 'OR'] as const;
export const units = ['days', 'hours', 'minutes'] as const;
export type Unit = (typeof units)[number];

const comparisons = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'] as const;
const equality = ['equals', 'notEquals'] as const;
const substring = ['contains', 'notContains'] as const;
const dateRange = ['within', 'olderThan'] as const;
export const listOperators = ['hasAnyOf', 'hasAllOf', 'hasNoneOf'] as const;
const occurrence = [
  'triggered',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggered',
  'notTriggeredWithin',
] as const;

/** The operators of each kind of field. */
export const operatorsOf = {
  email: [...equality, ...substring],
  subscribed: equality,
  date: [...equality, ...comparisons, ...dateRange],
  data: [...equality, ...substring, ...comparisons, 'exists', 'notExists', ...dateRange, ...listOperators],
  event: occurrence,
  activity: occurrence,
  segment: ['memberOfSegment', 'notMemberOfSegment'],
} as const;

export type FieldKind = keyof typeof operatorsOf;
export type Operator = (typeof operatorsOf)[FieldKind][number];
export const operators: ReadonlySet<string> = new Set(Object.values(operatorsOf).flat());

const withoutValue: ReadonlySet<string> = new Set([
  'exists',
  'notExists',
  'triggered',
  'notTriggered',
  'memberOfSegment',
  'notMemberOfSegment',
]);
const withUnit: ReadonlySet<string> = new Set([
  ...dateRange,
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggeredWithin',
]);

export const needsValue = (operator: string): boolean => !withoutValue.has(operator);
/** These operators also need a number as their value. */
export const needsUnit = (operator: string): boolean => withUnit.has(operator);

/** These compare a list with a list of items. */
export type ListOperator = (typeof listOperators)[number];
export const isListOperator = (operator: string): operator is ListOperator =>
  (listOperators as readonly string[]).includes(operator);

/** Items that an operator of lists compares with, and characters of each. */
export const maxListValue = 100;

/** Whether a value is what operators of lists compare with: 1 to 100 texts of 1 to 100 characters. */
export const isListOperand = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxListValue &&
  value.every(
    (item) =>
      typeof item === 'string' &&
      item !== '' &&
      item.length <= 2 * maxListValue &&
      [...item].length <= maxListValue,
  );

/** What an address is compared with: the value as text. A list or an object is its JSON. */
const addressText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The address that a value equals. */
export const addressEqualTo = (value: unknown): string => addressSought(addressText(value));

/** The texts of which an address contains one if it contains a value. */
export const addressPartsOf = (value: unknown): string[] => addressPartsSought(addressText(value));

/** Both spellings of an email's activity, mapped to the stored name. */
export const activities = {
  sent: 'sent',
  delivery: 'delivery',
  delivered: 'delivery',
  open: 'open',
  opened: 'open',
  click: 'click',
  clicked: 'click',
  bounce: 'bounce',
  bounced: 'bounce',
  complaint: 'complaint',
  complained: 'complaint',
} as const;
export type EmailActivity = (typeof activities)[keyof typeof activities];

export interface Filter {
  field: string;
  operator: Operator;
  value?: unknown;
  unit?: Unit;
}

export interface FilterGroup {
  filters: Filter[];
  conditions?: FilterTree | null;
}

export interface FilterTree {
  logic: (typeof logics)[number];
  groups: FilterGroup[];
}

export type FieldRef =
  | { kind: 'email' | 'subscribed' }
  | { kind: 'date'; column: 'createdAt' | 'updatedAt' }
  | { kind: 'data'; key: string }
  | { kind: 'event'; name: string }
  | { kind: 'activity'; activity: EmailActivity }
  | { kind: 'segment'; id: string };

/** Longer keys and names cannot be stored (behaviour B2.1, B2.9). Counted in UTF-16 units; a character has one or two. */
const longestKey = 200;
const longestEventName = 510;

/** The reference that a filter's `field` names, or an error message when it names none. */
export function readField(field: string): FieldRef | 'unsupported_field' | 'invalid_enum_value' {
  if (field === 'email' || field === 'subscribed') return { kind: field };
  if (field === 'createdAt' || field === 'updatedAt') return { kind: 'date', column: field };
  const dot = field.indexOf('.');
  const rest = field.slice(dot + 1);
  if (dot < 0 || rest === '') return 'unsupported_field';
  switch (field.slice(0, dot)) {
    case 'data':
      return rest.length > longestKey ? 'unsupported_field' : { kind: 'data', key: rest };
    case 'event':
      return rest.length > longestEventName ? 'unsupported_field' : { kind: 'event', name: rest };
    case 'segment':
      return { kind: 'segment', id: rest.toLowerCase() };
    case 'email':
      return Object.hasOwn(activities, rest)
        ? { kind: 'activity', activity: activities[rest as keyof typeof activities] }
        : 'invalid_enum_value';
    default:
      return 'unsupported_field';
  }
}

export const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const earliest = new Date('0001-01-01T00:00:00.000Z');
const unitMs: Record<Unit, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };

/** The moment `amount` units before `now`, never before the year 1. */
export function cutoffOf(now: Date, amount: number, unit: Unit): Date {
  const time = now.getTime() - amount * unitMs[unit];
  return time < earliest.getTime() ? earliest : new Date(time);
}

/** Every filter of a tree, nested ones included. */
export function filtersOf(tree: FilterTree): Filter[] {
  return tree.groups.flatMap(({ filters, conditions }) => [
    ...filters,
    ...(conditions ? filtersOf(conditions) : []),
  ]);
}

/** The references a tree reads, each once, as stored in the `reads` columns. */
export function readsOf(tree: FilterTree): string[] {
  return [...new Set(filtersOf(tree).map(({ field }) => referenceOf(field)))].sort();
}

function referenceOf(field: string): string {
  const ref = readField(field);
  if (typeof ref === 'string') return field;
  if (ref.kind === 'activity') return `email.${ref.activity}`;
  return ref.kind === 'segment' ? `segment.${ref.id}` : field;
}

/** Ids of the segments among references. */
export const segmentsAmong = (reads: readonly string[]): string[] =>
  reads.filter((each) => each.startsWith('segment.')).map((each) => each.slice('segment.'.length));

/** Names of the events that can change the result of a condition with these references. */
export const eventsAmong = (reads: readonly string[]): string[] =>
  reads.flatMap((each) => {
    if (each.startsWith('event.')) return [each.slice('event.'.length)];
    return each.startsWith('email.') ? [each] : [];
  });
