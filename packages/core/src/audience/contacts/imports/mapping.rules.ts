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
 * `consent.<what is known of it>`, `topics.<key>`, `data.<key>`, or null to skip.
 */
export type ColumnMapping = Readonly<Record<string, string | TypedTarget | null>>;

export interface MappingIssue {
  path: string[];
  code?: 'invalid_enum_value' | 'unsupported_field' | 'invalid_type';
  message: string;
}

/** Targets with a time, which have a format as the dates of fields do. */
export const timeTargets = [
  'snoozedUntil',
  'consent.at',
  'consent.confirmedAt',
  'consent.unsubscribedAt',
] as const;
export type TimeTarget = (typeof timeTargets)[number];

/** Targets that are neither a field nor a topic; each is one column. */
export const plainTargets = [
  'email',
  'externalId',
  'subscribed',
  'status',
  ...timeTargets,
  'consent.ip',
  'consent.source',
  'consent.confirmedIp',
] as const;
export type PlainTarget = (typeof plainTargets)[number];

export const isPlainTarget = (target: string): target is PlainTarget =>
  (plainTargets as readonly string[]).includes(target);

export const isTimeTarget = (target: string): target is TimeTarget =>
  (timeTargets as readonly string[]).includes(target);

const prefix = 'data.';
const topicPrefix = 'topics.';
const maxColumns = 1_000;
const longestSeparator = 5;

/** The key of contact data that a target names; null if it names none. */
export const keyOfTarget = (target: string): string | null =>
  target.startsWith(prefix) ? target.slice(prefix.length) : null;

/** The key of the topic that a target names; null if it names none. */
export const topicOfTarget = (target: string): string | null =>
  target.startsWith(topicPrefix) ? target.slice(topicPrefix.length) : null;

/** The topics that a mapping names, by the headers of their columns. */
export const topicsIn = (mapping: ColumnMapping): { header: string; key: string }[] =>
  Object.entries(mapping).flatMap(([header, target]) => {
    const key = topicOfTarget(targetIn(target) ?? '');
    return key === null ? [] : [{ header, key }];
  });

/** What a column becomes, with or without how it is read; null where it is skipped. */
export const targetIn = (target: string | TypedTarget | null | undefined): string | null =>
  typeof target === 'object' ? (target?.to ?? null) : (target ?? null);

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
  const named = new Set<string>();
  const repeated = new Set<string>();
  for (const [, target] of entries) {
    const to = toOf(target);
    if (typeof to !== 'string' || keyOfTarget(to) !== null) continue;
    if (named.has(to)) repeated.add(to);
    named.add(to);
  }
  for (const each of repeated) issues.push({ path: [], message: `Only one column can be ${namedIn(each)}` });
  if (issues.length > 0) return { mapping: null, issues };
  // `fromEntries` defines own properties, so that a header such as `__proto__` stays a header.
  return { mapping: Object.fromEntries(entries) as ColumnMapping, issues: [] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toOf = (target: unknown): unknown => (isObject(target) ? target['to'] : target);

const namedIn = (target: string): string => (target === 'email' ? 'the email address' : target);

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
  const isTime = isTimeTarget(to as string);
  for (const [name, value] of Object.entries(given))
    if (
      value !== undefined &&
      value !== null &&
      keyOfTarget(to as string) === null &&
      !(isTime && name === 'format')
    )
      issues.push({ path: [name], code: 'unsupported_field', message: 'Only for a field of contacts' });
  const effective = isTime ? 'DATETIME' : typeOf(target as unknown as TypedTarget);
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
  if (typeof target === 'string' && (topicOfTarget(target) ?? '') !== '') return [];
  const key = typeof target === 'string' ? keyOfTarget(target) : null;
  if (key === null)
    return [{ path, message: `Must be ${plainTargets.join(', ')}, topics.<key>, data.<field> or null` }];
  if (key === impossibleDataKey || reservedDataKeys.has(key))
    return [{ path, message: `The field ${key} cannot be set by an import` }];
  const [issue] = splitContactData({ [key]: true }, 'stored-only').issues;
  return issue ? [{ path, message: issue.message }] : [];
}
