import { type ContactValue, isValue } from './contact-data.rules.ts';

/** The type of a value of contact data, as chosen in its row. */
export const rowTypes = ['text', 'number', 'boolean', 'date', 'list'] as const;
export type RowType = (typeof rowTypes)[number];

/** One field of a contact while it is edited, with its value as typed. */
export interface DataRow {
  id: string;
  /** The field in the stored data; the name of a stored field does not change. */
  stored: boolean;
  key: string;
  type: RowType;
  text: string;
}

const visit = Math.random().toString(36).slice(2);
let lastId = 0;
/** Identifies a row while it is edited. A restored draft has rows of an earlier visit. */
const newId = (): string => {
  lastId += 1;
  return `${visit}-${lastId}`;
};

export const newRow = (): DataRow => ({ id: newId(), stored: false, key: '', type: 'text', text: '' });

const day = /^\d{4}-\d{2}-\d{2}$/;

const typeOf = (value: ContactValue): RowType => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return day.test(value) ? 'date' : 'text';
};

export const rowsOf = (data: Readonly<Record<string, ContactValue>>, stored = true): DataRow[] =>
  Object.entries(data).map(([key, value]) => ({
    id: newId(),
    stored,
    key,
    type: typeOf(value),
    text: Array.isArray(value) ? value.join('\n') : String(value),
  }));

/** The row with another type; a text that has no meaning in it is dropped. */
export function withType(row: DataRow, type: RowType): DataRow {
  if (type === 'boolean') return { ...row, type, text: row.text === 'false' ? 'false' : 'true' };
  if (type === 'date') return { ...row, type, text: day.test(row.text) ? row.text : '' };
  return { ...row, type };
}

const plainNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const maxKeyLength = 100;
const controlCharacter = /\p{Cc}/u;

/** Why a row cannot be stored, for its user; null if it can. */
function problemOf(row: DataRow, others: readonly DataRow[]): string | null {
  const key = keyOf(row);
  if (key === '') return 'Enter a field name';
  if ([...key].length > maxKeyLength || controlCharacter.test(key))
    return `A field name has at most ${maxKeyLength} characters and no line breaks`;
  // Such a name is part of JSON that was not read as a whole.
  if (!row.stored && /^[{["]/.test(key)) return 'A field name does not begin with a brace, bracket or quote';
  if (others.some((other) => other.id !== row.id && keyOf(other) === key))
    return 'Another row has this field name';
  if (row.type === 'number' && !plainNumber.test(row.text.trim())) return 'Enter a number, such as 12.5';
  if (row.type === 'date' && !day.test(row.text)) return 'Select a date';
  return row.text === '' ? 'Enter a value, or remove the row' : null;
}

/** What is wrong with rows, by their ids. Empty rows are ignored. */
export function problemsIn(rows: readonly DataRow[]): Record<string, string> {
  const used = rows.filter((row) => !isBlank(row));
  return Object.fromEntries(
    used.flatMap((row) => {
      const problem = problemOf(row, used);
      return problem === null ? [] : [[row.id, problem]];
    }),
  );
}

/** A stored name may have spaces around it. */
const keyOf = ({ stored, key }: DataRow): string => (stored ? key : key.trim());

const isBlank = ({ stored, key, text }: DataRow): boolean => !stored && key.trim() === '' && text === '';

/** The data of rows without problems. */
export const dataOf = (rows: readonly DataRow[]): Record<string, ContactValue> =>
  Object.fromEntries(rows.filter((row) => !isBlank(row)).map((row) => [keyOf(row), readValue(row)]));

function readValue({ type, text }: DataRow): ContactValue {
  if (type === 'list') return [...new Set(text.split('\n').flatMap((item) => item.trim() || []))];
  if (type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

export type Pasted = { data: Record<string, ContactValue> } | { problem: string };

/** Reads a pasted JSON object; null for a text that is no JSON object or list at all. */
export function readPasted(text: string): Pasted | null {
  if (!/^\s*[{[]/.test(text)) return null;
  const problem = 'Paste one JSON object whose values are texts, numbers, true or false';
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // Not JSON; the message explains what is accepted.
    return { problem };
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { problem };
  return Object.values(data).every(isValue) ? { data: data as Record<string, ContactValue> } : { problem };
}

/** Rows with pasted fields: those that exist take the pasted value, the others are added in place of the row `at`. */
export function withPasted(
  rows: readonly DataRow[],
  at: string,
  data: Readonly<Record<string, ContactValue>>,
): DataRow[] {
  const fresh = new Map(rowsOf(data, false).map((row) => [row.key, row]));
  const kept = rows.flatMap((row) => {
    const next = fresh.get(keyOf(row));
    if (!next) return row.id === at && isBlank(row) ? [] : [row];
    fresh.delete(keyOf(row));
    return [{ ...row, type: next.type, text: next.text }];
  });
  return [...kept, ...fresh.values()];
}
