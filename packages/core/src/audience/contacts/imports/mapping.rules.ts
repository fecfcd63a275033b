import { impossibleDataKey, reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { splitContactData } from '../contacts.rules.ts';
import {
  type ColumnFormat,
  type ColumnType,
  columnTypes,
  dateFormats,
  isNumberFormat,
  numberFormats,
} from './cell-values.rules.ts';

/** What a column becomes, and how its cells are read. */
export interface TypedTarget {
  to: string;
  type?: ColumnType;
  format?: ColumnFormat;
  separator?: string;
}

/**
 * What the columns of an import become, by their headers (behaviour B4.5 "Import"): `email`, `externalId`, `subscribed`, `status`, `snoozedUntil`,
 * `data.<key>`, or null to skip.
 */
export type ColumnMapping = Readonly<Record<string, string | TypedTarget | null>>;

export interface MappingIssue {
  path: string[];
  code?: 'invalid_enum_value' | 'unsupported_field' | 'invalid_type';
  message: string;
}

/** Targets that are no field; each is one column. */
export const plainTargets = ['email', 'externalId', 'subscribed', 'status', 'snoozedUntil'] as const;
export type PlainTarget = (typeof plainTargets)[number];

export const isPlainTarget = (target: string): target is PlainTarget =>
  (plainTargets as readonly string[]).includes(target);

const prefix = 'data.';
const maxColumns = 1_000;
const longestSeparator = 5;

/** The key of contact data that a target names; null if it names none. */
export const keyOfTarget = (target: string): string | null =>
  target.startsWith(prefix) ? target.slice(prefix.length) : null;

/** Reads a mapping from a request. */
export function readMapping(
  value: unknown,
): { mapping: ColumnMapping; issues: [] } | { mapping: null; issues: MappingIssue[] } {
  if (!isObject(value))
    return {
      mapping: null,
      issues: [{ path: [], message: 'Must be an object of headers and their targets' }],
    };
  const entries = Object.entries(value);
  if (entries.length > maxColumns)
    return { mapping: null, issues: [{ path: [], message: `At most ${maxColumns} columns` }] };
  const issues = entries.flatMap(([header, target]) =>
    issuesOf(target).map(({ path, ...issue }) => ({ ...issue, path: [header, ...path] })),
  );
  for (const each of plainTargets) {
    const headers = entries.filter(([, target]) => toOf(target) === each);
    if (headers.length > 1) issues.push({ path: [], message: `Only one column can be ${namedIn(each)}` });
  }
  if (issues.length > 0) return { mapping: null, issues };
  // `fromEntries` defines own properties, so that a header such as `__proto__` stays a header.
  return { mapping: Object.fromEntries(entries) as ColumnMapping, issues: [] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toOf = (target: unknown): unknown => (isObject(target) ? target['to'] : target);

const namedIn = (target: PlainTarget): string => (target === 'email' ? 'the email address' : target);

function issuesOf(target: unknown): MappingIssue[] {
  if (target === null) return [];
  if (!isObject(target)) return targetIssues(target, []);
  const { to, type, format, separator, ...others } = target;
  const issues = [
    ...targetIssues(to, ['to']),
    ...Object.keys(others).map(
      (name): MappingIssue => ({ path: [name], code: 'unsupported_field', message: 'Unknown field' }),
    ),
    ...oneOf('type', type, columnTypes),
    ...oneOf('format', format, [...numberFormats, ...dateFormats]),
  ];
  if (separator !== undefined && separator !== null && !isSeparator(separator))
    issues.push({
      path: ['separator'],
      message: `Must have 1 to ${longestSeparator} characters, and not only blanks or quotes`,
    });
  if (issues.length > 0) return issues;
  const given = { type, format, separator };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null && keyOfTarget(to as string) === null)
      issues.push({ path: [name], code: 'unsupported_field', message: 'Only for a field of contacts' });
  const effective = typeOf(target as unknown as TypedTarget);
  const allowed: readonly string[] =
    effective === 'NUMBER'
      ? numberFormats
      : effective === 'DATE' || effective === 'DATETIME'
        ? dateFormats
        : [];
  if (typeof format === 'string' && !allowed.includes(format))
    issues.push({ path: ['format'], code: 'unsupported_field', message: `Not a format of ${effective}` });
  if (typeof separator === 'string' && effective !== 'LIST')
    issues.push({ path: ['separator'], code: 'unsupported_field', message: 'Only for the type LIST' });
  return issues;
}

const isSeparator = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= longestSeparator &&
  value.trim() !== '' &&
  !value.includes('"');

function oneOf(name: string, value: unknown, values: readonly string[]): MappingIssue[] {
  if (value === undefined || value === null || values.includes(value as string)) return [];
  return [{ path: [name], code: 'invalid_enum_value', message: `Must be one of ${values.join(', ')}` }];
}

/** The type that a target names, also by a format or separator that only one type has. */
export function typeOf({ type, format, separator }: TypedTarget): ColumnType | null {
  if (type) return type;
  if (separator) return 'LIST';
  if (!format) return null;
  return isNumberFormat(format) ? 'NUMBER' : 'DATE';
}

function targetIssues(target: unknown, path: string[]): MappingIssue[] {
  if (typeof target === 'string' && isPlainTarget(target)) return [];
  const key = typeof target === 'string' ? keyOfTarget(target) : null;
  if (key === null) return [{ path, message: `Must be ${plainTargets.join(', ')}, data.<field> or null` }];
  if (key === impossibleDataKey || reservedDataKeys.has(key))
    return [{ path, message: `The field ${key} cannot be set by an import` }];
  const [issue] = splitContactData({ [key]: true }, 'stored-only').issues;
  return issue ? [{ path, message: issue.message }] : [];
}
