import { addressEqualTo, addressPartsOf } from '../../../audience/segments/filters.rules.ts';
import { dayOf, instantOf } from '../../../base/kernel/schemas.ts';
import type { ConditionOperator } from '../steps/condition.step.ts';

type Json = Readonly<Record<string, unknown>>;

/** The columns of a contact have specific comparisons; every other value is compared like `data.<key>` of filters (B2.5). */
export type FieldKind = 'email' | 'subscribed' | 'date' | 'value';

export function kindOf(field: string): FieldKind {
  switch (field) {
    case 'contact.email':
      return 'email';
    case 'contact.subscribed':
      return 'subscribed';
    case 'contact.createdAt':
    case 'contact.updatedAt':
      return 'date';
    default:
      return 'value';
  }
}

export interface Fields {
  contact: { email: string; subscribed: boolean; data: Json; createdAt: string; updatedAt: string };
  context: Json;
}

/** The value of a condition's field; undefined when it is missing (behaviour B2.7). */
export function readField(field: string, { contact, context }: Fields): unknown {
  switch (field) {
    case 'contact.email':
      return contact.email;
    case 'contact.subscribed':
      return contact.subscribed;
    case 'contact.createdAt':
      return contact.createdAt;
    case 'contact.updatedAt':
      return contact.updatedAt;
  }
  const [, area, path] = /^(?:contact\.)?(data|event|workflow)\.(.+)$/s.exec(field) ?? [];
  if (area === undefined || path === undefined) return undefined;
  return area === 'data' ? own(contact.data, path) : readPath(context, path);
}

/** The literal key first, then the dotted path. */
function readPath(context: Json, path: string): unknown {
  const literal = own(context, path);
  if (literal !== undefined) return literal;
  let value: unknown = context;
  for (const key of path.split('.')) value = own(value, key);
  return value;
}

/** Own properties only: inherited properties are not fields. */
function own(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as Json)[key];
}

/** The semantics of `email`, `subscribed` and the instants in filters (B2.5); unsupported operators never match. */
export function matchesContactField(
  kind: Exclude<FieldKind, 'value'>,
  actual: unknown,
  operator: ConditionOperator,
  expected: unknown,
): boolean {
  if (operator === 'exists') return true;
  if (operator === 'notExists') return false;
  if (kind === 'subscribed') {
    if (operator !== 'equals' && operator !== 'notEquals') return false;
    return (actual === (expected === true)) === (operator === 'equals');
  }
  // Every contact has these fields, so `equals null` means "missing" and `notEquals null` "present".
  if (expected === null && (operator === 'equals' || operator === 'notEquals'))
    return operator === 'notEquals';
  return kind === 'email'
    ? matchesEmail(String(actual), operator, expected)
    : matchesInstant(Date.parse(String(actual)), operator, expected);
}

function matchesEmail(actual: string, operator: ConditionOperator, expected: unknown): boolean {
  const contains = (): boolean => addressPartsOf(expected).some((part) => actual.includes(part));
  switch (operator) {
    case 'equals':
      return actual === addressEqualTo(expected);
    case 'notEquals':
      return actual !== addressEqualTo(expected);
    case 'contains':
      return contains();
    case 'notContains':
      return !contains();
    default:
      return false;
  }
}

const dayMs = 86_400_000;

function matchesInstant(actual: number, operator: ConditionOperator, expected: unknown): boolean {
  const instant = instantOf(expected)?.getTime();
  if (instant === undefined) return false;
  switch (operator) {
    case 'equals':
      return isSame(actual, expected, instant);
    case 'notEquals':
      return !isSame(actual, expected, instant);
    case 'greaterThan':
      return actual > instant;
    case 'lessThan':
      return actual < instant;
    case 'greaterThanOrEqual':
      return actual >= instant;
    case 'lessThanOrEqual':
      return actual <= instant;
    default:
      return false;
  }
}

/** A value that looks like a date means the whole UTC day of that date. */
function isSame(actual: number, expected: unknown, instant: number): boolean {
  const day = dayOf(expected);
  if (day === null) return actual === instant;
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return actual >= start && actual < start + dayMs;
}
