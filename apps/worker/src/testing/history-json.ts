import { temporal } from '@temporalio/proto';
import type { StoredHistory } from './history.ts';

const { History } = temporal.api.history.v1;
type History = temporal.api.history.v1.IHistory;

/** A history as JSON: enums by name, 64-bit numbers and bytes as strings. */
export const toStored = (history: History): StoredHistory =>
  History.toObject(History.fromObject(history), {
    enums: String,
    longs: String,
    bytes: String,
  }) as StoredHistory;

export const fromStored = (stored: StoredHistory): History => History.fromObject(stored);
