import { dataLimitBytes, type Primitive } from '../contacts.rules.ts';

/** What several rows of one file say of one address: a later row wins key by key. */
export interface MergedRows {
  values: Map<string, Primitive>;
  /** numbers of the rows that are in it */
  rows: number[];
  /** what `values` take as JSON, kept along: a file may say a little of the same large contact a million times */
  bytes: number;
}

export const noRows = (): MergedRows => ({ values: new Map(), rows: [], bytes: 1 });

/** Adds a row; false, and nothing is added, when the contact would hold more data than one may. */
export function mergeRow(
  merged: MergedRows,
  row: number,
  data: Readonly<Record<string, Primitive>>,
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

/** A key and its value in JSON, with the colon between and the comma or bracket behind them. */
const bytesOf = (key: string, value: Primitive): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2;
