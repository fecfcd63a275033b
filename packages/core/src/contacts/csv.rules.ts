import { isEmailAddress, normalizeAddress } from '../kernel/schemas.ts';
import { type Primitive, reservedDataKeys, splitContactData } from './contacts.rules.ts';

/** How the cells of a CSV file become contacts (behaviour B4.5 "Import"). */

/** What the columns of a file are for. */
export interface Columns {
  email: number;
  data: { index: number; key: string }[];
}

/** Columns that say what only the service says of a contact. */
const ignored = new Set(['id', 'subscribed', 'snoozedUntil', 'createdAt', 'updatedAt', ...reservedDataKeys]);

/** Reads the header; null when it has no column `email`. */
export function columnsOf(header: readonly string[]): Columns | null {
  const names = header.map((name) => name.trim());
  const email = names.findIndex((name) => name.toLowerCase() === 'email');
  if (email === -1) return null;
  const data = names.flatMap((key, index) =>
    index === email || key === '' || ignored.has(key) ? [] : [{ index, key }],
  );
  return { email, data };
}

export type RowReading =
  | { ok: true; email: string; data: Record<string, Primitive> }
  | { ok: false; email: string; error: string };

const longestShownAddress = 254;

/** Reads a row; a problem is told in words for the person who sent the file. */
export function readRow(columns: Columns, cells: readonly string[]): RowReading {
  const raw = cells[columns.email] ?? '';
  const email = normalizeAddress(raw);
  const refuse = (error: string): RowReading => ({
    ok: false,
    email: raw.trim().replaceAll('\0', '\uFFFD').slice(0, longestShownAddress),
    error,
  });
  if (cells.some((cell) => cell.includes('\0'))) return refuse('Contains the character U+0000');
  if (email === '') return refuse('Email is missing');
  if (!isEmailAddress(email)) return refuse('Invalid email address');
  const given = columns.data.flatMap(({ index, key }) => {
    const cell = cells[index] ?? '';
    return cell.trim() === '' ? [] : [[key, cellValue(cell)] as const];
  });
  const { set, issues } = splitContactData(Object.fromEntries(given), 'stored-only');
  const [issue] = issues;
  if (issue) return refuse([...issue.path.slice(0, 1), issue.message].join(': ').slice(0, 300));
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
  for (const byte of bytes) {
    if (byte === quote) quoted = !quoted;
    if (quoted) continue;
    if (byte === lineFeed || byte === carriageReturn) break;
    const count = counts.get(byte);
    if (count !== undefined) counts.set(byte, count + 1);
  }
  let best: Separator = ',';
  for (const each of separators) {
    if ((counts.get(each.charCodeAt(0)) ?? 0) > (counts.get(best.charCodeAt(0)) ?? 0)) best = each;
  }
  return best;
}
