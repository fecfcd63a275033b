import { nameLikeness } from '../../../base/lib/names.rules.ts';
import type { DefinedType } from './definitions.rules.ts';

/** Fields of contacts (behaviour B4.5): the standard ones by their name, custom ones as `data.<key>`. */

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'list'] as const;
export type FieldType = (typeof fieldTypes)[number];

export const standardFields = {
  email: 'string',
  subscribed: 'boolean',
  createdAt: 'date',
  updatedAt: 'date',
} as const satisfies Record<string, FieldType>;

/** What values of a defined type are, as fields of contacts are listed. */
export const typesOfDefined = {
  TEXT: 'string',
  NUMBER: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date',
  DATETIME: 'date',
  LIST: 'list',
} as const satisfies Record<DefinedType, FieldType>;

export type StandardField = keyof typeof standardFields;

const prefix = 'data.';

export type Field = { kind: 'standard'; name: StandardField } | { kind: 'custom'; key: string; name: string };

/** Parses a field from a path; the prefix of custom fields is optional. */
export function fieldOf(text: string): Field {
  if (Object.hasOwn(standardFields, text)) return { kind: 'standard', name: text as StandardField };
  const key = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return { kind: 'custom', key, name: `${prefix}${key}` };
}

/** Percent of contacts, rounded: 0 only for no contact, and 100 only for all of them. */
export function coverageOf(having: number, total: number): number {
  if (having === 0 || total === 0) return 0;
  if (having >= total) return 100;
  return Math.min(99, Math.max(1, Math.round((having / total) * 100)));
}

export interface TypeCount {
  key: string;
  type: FieldType;
  count: number;
}

export interface FieldSummary {
  field: string;
  type: FieldType;
  coverage: number;
}

/** The fields, each with the others whose names are alike: probably meant as the same. */
export function withSimilar<T extends FieldSummary>(fields: readonly T[]): (T & { similar: string[] })[] {
  const alike = new Map<string, string[]>();
  const likenessOf = ({ field }: FieldSummary): string => nameLikeness(fieldKey(field));
  for (const each of fields)
    alike.set(likenessOf(each), [...(alike.get(likenessOf(each)) ?? []), each.field]);
  return fields.map((each) => ({
    ...each,
    similar: (alike.get(likenessOf(each)) ?? []).filter((field) => field !== each.field),
  }));
}

export const fieldKey = (field: string): string =>
  field.startsWith(prefix) ? field.slice(prefix.length) : field;

/** One entry per field, sorted by name; the type of a custom field is its most frequent one. */
export function summarizeFields(counts: readonly TypeCount[], total: number): FieldSummary[] {
  const custom = new Map<string, { type: FieldType; most: number; having: number }>();
  for (const { key, type, count } of counts) {
    const known = custom.get(key);
    if (!known) custom.set(key, { type, most: count, having: count });
    else {
      known.having += count;
      if (count > known.most || (count === known.most && type < known.type)) {
        known.type = type;
        known.most = count;
      }
    }
  }
  const standard = Object.entries(standardFields).map(([field, type]) => ({ field, type, coverage: 100 }));
  const named = [...custom].map(([key, { type, having }]) => ({
    field: `${prefix}${key}`,
    type,
    coverage: coverageOf(having, total),
  }));
  return [...standard, ...named].toSorted((a, b) => (a.field < b.field ? -1 : 1));
}
