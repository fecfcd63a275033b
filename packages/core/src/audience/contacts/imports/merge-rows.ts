import { dataLimitBytes } from '../contacts.rules.ts';
import type { CellValue } from './cell-values.rules.ts';

/** The combined rows of a file for one address; later rows win per key. */
export interface MergedRows {
  values: Map<string, CellValue>;
  /** numbers of the rows included */
  rows: number[];
  /** size of `values` as JSON, updated incrementally: a file may have a million small rows for one large contact */
  bytes: number;
}

export const noRows = (): MergedRows => ({ values: new Map(), rows: [], bytes: 1 });

/** Adds a row; returns false and adds nothing when the contact would exceed the data limit. */
export function mergeRow(
  merged: MergedRows,
  row: number,
  data: Readonly<Record<string, CellValue>>,
): boolean {
  const entries = Object.entries(data);
  let { bytes } = merged;
  for (const [key, value] of entries) {
    const before = merged.values.get(key);
    bytes += bytesOf(key, value) - (before === undefined ? 0 : bytesOf(key, before));
  }
  if (bytes > dataLimitBytes) return false;
  for (const [key, value] of entries) merged.values.set(key, value);
  merged.rows.push(row);
  merged.bytes = bytes;
  return true;
}

/** Size of a key and its value in JSON, including the colon and the following comma or brace. */
const bytesOf = (key: string, value: CellValue): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2;
