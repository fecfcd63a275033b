import type { Unit, ValueOperator } from '../../../base/lib/value-operators.rules.ts';
import {
  addressRule,
  instantRule,
  matchesRule,
  type ValueClock,
  valueRule,
} from '../../../base/lib/values.rules.ts';

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
      return field.startsWith('contact.topics.') ? 'subscribed' : 'value';
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
  const [, area, path] = /^(?:contact\.)?(data|context|event|workflow)\.(.+)$/s.exec(field) ?? [];
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

export interface Comparison {
  operator: ValueOperator;
  value?: unknown;
  unit?: Unit | undefined;
}

/**
 * Whether a value satisfies a comparison as in filters (behaviour B2.5), by the same rules.
 *
 * @param actual undefined when the value is missing
 */
export function matchesComparison(
  kind: FieldKind,
  actual: unknown,
  comparison: Comparison,
  clock: ValueClock,
): boolean {
  const { operator, value, unit = 'days' } = comparison;
  if (kind === 'value') return matchesRule(valueRule(operator, value, unit, clock), actual);
  if (operator === 'exists' || operator === 'isNotEmpty') return true;
  if (operator === 'notExists' || operator === 'isEmpty') return false;
  if (kind === 'subscribed') {
    if (operator !== 'equals' && operator !== 'notEquals') return false;
    return (actual === (value === true)) === (operator === 'equals');
  }
  // Every contact has these fields, so `equals null` means "missing" and `notEquals null` "present".
  if (value === null && (operator === 'equals' || operator === 'notEquals')) return operator === 'notEquals';
  return kind === 'email'
    ? matchesRule(addressRule(operator, value), String(actual))
    : matchesRule(instantRule(operator, value, unit, clock), actual);
}
