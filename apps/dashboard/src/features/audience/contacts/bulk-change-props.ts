import type { BulkFilter, Selection } from './selection.rules.ts';

/** What is to be changed. */
export interface BulkChangeProps {
  selection: Selection;
  filter: BulkFilter;
  /** The number of selected contacts. */
  count: number;
  onDone: () => void;
}
