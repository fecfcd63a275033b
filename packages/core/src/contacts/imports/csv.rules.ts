import { reservedDataKeys } from '../../kernel/data-values.rules.ts';
import { isEmailAddress, normalizeAddress } from '../../kernel/schemas.ts';
import { type Primitive, splitContactData } from '../contacts.rules.ts';

/** How the cells of a CSV file become contacts (behaviour B4.5 "Import"). */

/** What the columns of a file are for, by their place in a row. */
export interface Columns {
  email: number;
  /** null: what stands in this column is not for us */
  keys: (Column | null)[];
}

interface Column {
  key: string;
  /** why nothing in this column can be stored; looked for once and not row by row, since a header may be as long as a file */
  problem: string | null;
}

/** Columns that say what only the service says of a contact. */
const ignored = new Set(['id', 'subscribed', 'snoozedUntil', 'createdAt', 'updatedAt', ...reservedDataKeys]);

/** Reads the header; null when it has no column `email`. */
export function columnsOf(header: readonly string[]): Columns | null {
  const names = header.map((name) => name.trim());
  const email = names.findIndex((name) => name.toLowerCase() === 'email');
  if (email === -1) return null;
  const keys = names.map((key, index) =>
    index === email || key === '' || ignored.has(key) ? null : { key, problem: problemOf(key) },
  );
  return { email, keys };
}

function problemOf(key: string): string | null {
  const [issue] = splitContactData({ [key.slice(0, longestShown)]: true }, 'stored-only').issues;
  if (issue?.path[0] !== 'locale' && issue) return described(issue);
  return null;
}

/** An issue in the words of an import's errors; these are stored, so they hold neither U+0000 nor half a character. */
const described = ({ path, message }: { path: string[]; message: string }): string =>
  [...path.slice(0, 1).map(shown), message].join(': ');

const shown = (text: string): string => text.slice(0, longestShown).replaceAll('\0', '\uFFFD').toWellFormed();

export type RowReading =
  | { ok: true; email: string; data: Record<string, Primitive> }
  | { ok: false; email: string; error: string };

/** Longer ones are shown in part: an address has at most 254 characters. */
const longestShown = 254;

/** Reads a row; a problem is told in words for the person who sent the file. */
export function readRow(columns: Columns, cells: readonly string[]): RowReading {
  const raw = cells[columns.email] ?? '';
  const email = normalizeAddress(raw);
  const refuse = (error: string): RowReading => ({ ok: false, email: shown(raw.trim()), error });
  if (cells.some((cell) => cell.includes('\0'))) return refuse('Contains the character U+0000');
  if (email === '') return refuse('Email is missing');
  if (!isEmailAddress(email)) return refuse('Invalid email address');
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
/** Beyond so many digits a double no longer tells neighbours apart. */
const mostDigits = 15;

/** The value that a cell stands for: `true` and `false` in any case, plain decimal numbers, otherwise its text. */
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

/** The separator of a file: the one that its header has most of, outside of quotes. */
export function separatorOf(bytes: Uint8Array): Separator {
  const counts = new Map(separators.map((separator) => [separator.charCodeAt(0), 0]));
  let quoted = false;
  let begun = false;
  for (const byte of bytes) {
    if (byte === quote) quoted = !quoted;
    if (quoted) continue;
    const endsLine = byte === lineFeed || byte === carriageReturn;
    // Empty lines before the header are no rows.
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
