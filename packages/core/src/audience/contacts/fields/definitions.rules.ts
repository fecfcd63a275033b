import { readIsoDate } from '../../../base/lib/dates.rules.ts';
import { instantIn } from '../../../base/lib/values.rules.ts';
import {
  type DataIssue,
  notList,
  type Primitive,
  type SplitData,
  type StoredValue,
} from '../contacts.rules.ts';
import { isListChange, type ListChange, readItems } from './lists.rules.ts';

/** Definitions of contact fields: what is stored under a key (behaviour B2.1). Filters, audiences and templates do not depend on them. */

export const definedTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST'] as const;
export type DefinedType = (typeof definedTypes)[number];

/** The types of a project's defined fields, by key. */
export type Definitions = ReadonlyMap<string, DefinedType>;

export const noDefinitions: Definitions = new Map();

/** Definitions of a project. */
export const maxDefinitions = 500;

/** A number as text: without an exponent, leading zeros and more digits than a double has. */
const numberText = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;

/**
 * The value as it is stored under a type; undefined when it cannot be converted.
 *
 * @param timeZone of the project, for dates without a zone
 */
export function convertTo(type: DefinedType, value: unknown, timeZone: string): StoredValue | undefined {
  switch (type) {
    case 'TEXT':
      return typeof value === 'string' ? value : isScalar(value) ? String(value) : undefined;
    case 'NUMBER':
      if (typeof value === 'number') return value;
      return typeof value === 'string' && numberText.test(value) ? Number(value) : undefined;
    case 'BOOLEAN':
      return booleanOf(value);
    case 'DATE':
      return typeof value === 'string' ? readIsoDate(value)?.day : undefined;
    case 'DATETIME':
      return typeof value === 'string' ? instantIn(value, timeZone)?.toISOString() : undefined;
    case 'LIST':
      return readItems(typeof value === 'string' ? [value] : value);
  }
}

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' && value.length <= 5 ? value.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** A value that was used by a request and is not stored. */
export interface FieldWarning {
  field: string;
  code: 'invalid_type';
}

export interface SettledData {
  /** written to the contact; a list replaces the stored one */
  set: Record<string, StoredValue>;
  /** removed from the contact */
  unset: string[];
  /** changes of stored lists */
  lists: Record<string, ListChange>;
  /** used by this operation only */
  transient: Record<string, unknown>;
  warnings: FieldWarning[];
  issues: DataIssue[];
}

const words: Readonly<Record<DefinedType, string>> = {
  TEXT: 'text',
  NUMBER: 'a number',
  BOOLEAN: 'true or false',
  DATE: 'a date, YYYY-MM-DD',
  DATETIME: 'an ISO 8601 date with its time',
  LIST: 'a list: at most 100 texts of 1 to 100 characters, or {add, remove} with such',
};

/**
 * A request's data under the definitions of its project.
 *
 * @param mode `strict`: a value that cannot be converted is an issue. `lenient`: it is used for this operation, not stored, and a warning
 */
export function settleData(
  { set, unset, transient, structured = [] }: SplitData,
  definitions: Definitions,
  timeZone: string,
  mode: 'strict' | 'lenient',
): SettledData {
  const settled: SettledData = { set, unset, lists: {}, transient, warnings: [], issues: [] };
  if (definitions.size === 0 && structured.length === 0) return settled;
  const lists: [string, ListChange][] = [];
  const stored: [string, StoredValue][] = [];
  const once: [string, unknown][] = [];
  const refuse = (key: string, value: unknown, message: string): void => {
    if (mode === 'strict') {
      settled.issues.push({ path: [key], code: 'invalid_type', message, input: value });
      return;
    }
    once.push([key, value]);
    settled.warnings.push({ field: `data.${key}`, code: 'invalid_type' });
  };
  for (const [key, value] of Object.entries(set)) {
    const type = definitions.get(key);
    const converted = type === undefined ? value : convertTo(type, value, timeZone);
    if (type === undefined || converted !== undefined) stored.push([key, converted ?? value]);
    else refuse(key, value, `This field is defined as ${words[type]}`);
  }
  for (const { key, value, once: isOnce } of structured) {
    const type = definitions.get(key);
    if (type === 'LIST') {
      const items = Array.isArray(value) ? readItems(value) : undefined;
      const change = items === undefined && isListChange(value) ? readChange(value) : undefined;
      if (items !== undefined) stored.push([key, items]);
      else if (change !== undefined) lists.push([key, change]);
      else refuse(key, value, `This field is defined as ${words.LIST}`);
    } else if (isOnce && type === undefined) once.push([key, value]);
    else if (isOnce) refuse(key, value, '');
    else settled.issues.push(notList(key, value));
  }
  return {
    ...settled,
    set: Object.fromEntries(stored),
    lists: Object.fromEntries(lists),
    transient: once.length === 0 ? transient : { ...transient, ...Object.fromEntries(once) },
  };
}

function readChange({ add = [], remove = [] }: { add?: unknown; remove?: unknown }): ListChange | undefined {
  const [added, removed] = [readItems(add), readItems(remove)];
  return added && removed ? { add: added, remove: removed } : undefined;
}

/** A single value of another source than a request's data, such as the name of a recipient; undefined when it cannot be stored. */
export function storableValue(
  definitions: Definitions,
  timeZone: string,
  key: string,
  value: Primitive,
): StoredValue | undefined {
  const type = definitions.get(key);
  return type === undefined ? value : convertTo(type, value, timeZone);
}
