/** Jobs of contacts (behaviour B2.12, B4.5): imports and bulk changes. */

export const bulkKinds = ['bulk-subscribe', 'bulk-unsubscribe', 'bulk-delete'] as const;
export type BulkKind = (typeof bulkKinds)[number];
export type BulkOperation = 'subscribe' | 'unsubscribe' | 'delete';
export type JobKind = 'import' | BulkKind;

export const operationOf = (kind: BulkKind): BulkOperation => kind.slice('bulk-'.length) as BulkOperation;

/** How a job was asked for; nothing personal. */
export type JobInput = { subscribed: boolean } | { total: number };

/** At most so many errors are kept; counts go on. */
export const listedErrors = 100;

export interface ImportProgress {
  totalRows: number;
  successCount: number;
  createdCount: number;
  updatedCount: number;
  failureCount: number;
  errors: { row: number; email: string; error: string }[];
}

export interface BulkProgress {
  operation: BulkOperation;
  totalRequested: number;
  successCount: number;
  unchangedCount: number;
  failureCount: number;
  errors: { contactId: string; email: string | null; error: string }[];
}

export type JobProgress = ImportProgress | BulkProgress;

/** How many rows an import has dealt with: where it goes on. */
export const rowsDone = ({ successCount, failureCount }: ImportProgress): number =>
  successCount + failureCount;

/** Percent that is done; 100 is kept for the end. */
export const progressOf = (done: number, total: number): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));

/** Adds errors as long as there is room for them. */
export const addErrors = <Item>(errors: readonly Item[], more: readonly Item[]): Item[] =>
  [...errors, ...more].slice(0, listedErrors);
