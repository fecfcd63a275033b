import { readAddressCell } from '../../../base/kernel/schemas.ts';
import { reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { type Primitive, splitContactData } from '../contacts.rules.ts';
import { type ColumnMapping, keyOfTarget } from './mapping.rules.ts';

/** How the cells of a CSV file become contacts (behaviour B4.5 "Import"). */

/** The meaning of each column, by position. */
export interface Columns {
  email: number;
  /** null: the column is ignored */
  keys: (Column | null)[];
}

interface Column {
  key: string;
  /** why the column cannot be stored; determined once per file, since a header may be as long as the file */
  problem: string | null;
}

/** Columns that only the service can set. */
const ignored = new Set(['id', 'subscribed', 'snoozedUntil', 'createdAt', 'updatedAt', ...reservedDataKeys]);

/**
 * Reads the header; null when no column is the email address. Without a mapping, that is the first column named `email`
 * in any case; columns that a mapping does not name keep their meaning.
 */
export function columnsOf(header: readonly string[], mapping: ColumnMapping = {}): Columns | null {
  const names = header.map((name) => name.trim());
  const isMapped = (name: string): boolean => Object.hasOwn(mapping, name);
  const chosen = names.findIndex((name) => isMapped(name) && mapping[name] === 'email');
  const email =
    chosen === -1 ? names.findIndex((name) => name.toLowerCase() === 'email' && !isMapped(name)) : chosen;
  if (email === -1) return null;
  const keys = names.map((name, index) => {
    if (index === email) return null;
    const key = isMapped(name) ? keyOfTarget(mapping[name] ?? '') : name;
    return key === null || key === '' || ignored.has(key) ? null : { key, problem: problemOf(key) };
  });
  return { email, keys };
}

function problemOf(key: string): string | null {
  const [issue] = splitContactData({ [key.slice(0, longestShown)]: true }, 'stored-only').issues;
  return issue ? described(issue) : null;
}

/** An issue as text for an import's errors. The text is stored, so U+0000 and unpaired surrogates are removed. */
const described = ({ path, message }: { path: string[]; message: string }): string =>
  [...path.slice(0, 1).map(shown), message].join(': ');

const shown = (text: string): string => text.slice(0, longestShown).replaceAll('\0', '\uFFFD').toWellFormed();

export type RowReading =
  | { ok: true; email: string; data: Record<string, Primitive> }
  | { ok: false; email: string; error: string };

/** Longer values are truncated: an address has at most 254 characters. */
const longestShown = 254;

const addressErrors = {
  missing: 'Email is missing',
  several: 'Contains more than one address',
  malformed: 'Invalid email address',
};

/** Parses a row; a problem is described for the person who uploaded the file. */
export function readRow(columns: Columns, cells: readonly string[]): RowReading {
  const raw = cells[columns.email] ?? '';
  const read = readAddressCell(raw);
  const refuse = (error: string): RowReading => ({ ok: false, email: shown(raw.trim()), error });
  if (cells.some((cell) => cell.includes('\0'))) return refuse('Contains the character U+0000');
  if (typeof read === 'string') return refuse(addressErrors[read]);
  const { email } = read;
  const given: [string, Primitive][] = [];
  for (const [index, cell] of cells.entries()) {
    const column = columns.keys[index];
    if (!column || cell.trim() === '') continue;
    if (column.problem !== null) return refuse(column.problem);
    given.push([column.key, cellValue(cell)]);
  }
  const { set, issues } = splitContactData(Object.fromEntries(given), 'stored-only');
  const [issue] = issues;
  if (issue) return refuse(described(issue));
  return { ok: true, email, data: set };
}

const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** With more digits a double no longer represents every number exactly. */
const mostDigits = 15;

/** The value of a cell: a boolean for `true` and `false` in any case, a number for plain decimal numbers, otherwise its text. */
export function cellValue(cell: string): Primitive {
  const word = cell.length <= 5 ? cell.toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (cell.length <= mostDigits + 2 && plainNumber.test(cell) && digitsIn(cell) <= mostDigits)
    return Number(cell);
  return cell;
}

const digitsIn = (cell: string): number =>
  cell.length - (cell.startsWith('-') ? 1 : 0) - (cell.includes('.') ? 1 : 0);

export type Separator = ',' | ';' | '\t';

const separators: readonly Separator[] = [',', ';', '\t'];
const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** The separator of a file: the most frequent one in its header, outside quotes. */
export function separatorOf(bytes: Uint8Array): Separator {
  const counts = new Map(separators.map((separator) => [separator.charCodeAt(0), 0]));
  let quoted = false;
  let begun = false;
  for (const byte of bytes) {
    if (byte === quote) quoted = !quoted;
    if (quoted) continue;
    const endsLine = byte === lineFeed || byte === carriageReturn;
    // Empty lines before the header are skipped.
    if (endsLine && begun) break;
    begun ||= !endsLine;
    const count = counts.get(byte);
    if (count !== undefined) counts.set(byte, count + 1);
  }
  let best: Separator = ',';
  for (const each of separators) {
    if ((counts.get(each.charCodeAt(0)) ?? 0) > (counts.get(best.charCodeAt(0)) ?? 0)) best = each;
  }
  return best;
}
