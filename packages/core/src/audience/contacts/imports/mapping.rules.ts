import { reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { splitContactData } from '../contacts.rules.ts';

/** What the columns of an import become, by their headers (behaviour B4.5 "Import"): `email`, `data.<key>`, or null to skip. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

export interface MappingIssue {
  path: string[];
  message: string;
}

const prefix = 'data.';
const maxColumns = 1_000;

/** The key of contact data that a target names; null if it names none. */
export const keyOfTarget = (target: string): string | null =>
  target.startsWith(prefix) ? target.slice(prefix.length) : null;

/** Reads a mapping from a request. */
export function readMapping(
  value: unknown,
): { mapping: ColumnMapping; issues: [] } | { mapping: null; issues: MappingIssue[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      mapping: null,
      issues: [{ path: [], message: 'Must be an object of headers and their targets' }],
    };
  const entries = Object.entries(value);
  if (entries.length > maxColumns)
    return { mapping: null, issues: [{ path: [], message: `At most ${maxColumns} columns` }] };
  const issues = entries.flatMap(([header, target]) => {
    const message = problemOf(target);
    return message === null ? [] : [{ path: [header], message }];
  });
  if (entries.filter(([, target]) => target === 'email').length > 1)
    issues.push({ path: [], message: 'Only one column can be the email address' });
  if (issues.length > 0) return { mapping: null, issues };
  // `fromEntries` defines own properties, so that a header such as `__proto__` stays a header.
  return { mapping: Object.fromEntries(entries) as ColumnMapping, issues: [] };
}

function problemOf(target: unknown): string | null {
  if (target === null || target === 'email') return null;
  const key = typeof target === 'string' ? keyOfTarget(target) : null;
  if (key === null) return 'Must be email, data.<field> or null';
  if (reservedDataKeys.has(key)) return `The field ${key} cannot be set by an import`;
  const [issue] = splitContactData({ [key]: true }, 'stored-only').issues;
  return issue?.message ?? null;
}
