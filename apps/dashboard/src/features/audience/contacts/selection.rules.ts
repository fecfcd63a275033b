/** The contacts selected for a bulk change: a list of ids, or all that match the filter of the list except some. */
export type Selection =
  | { mode: 'ids'; ids: ReadonlySet<string> }
  | { mode: 'query'; excludeIds: ReadonlySet<string> };

export const nothing: Selection = { mode: 'ids', ids: new Set() };
export const everything: Selection = { mode: 'query', excludeIds: new Set() };

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.mode === 'ids' ? selection.ids.has(id) : !selection.excludeIds.has(id);

export function select(selection: Selection, ids: readonly string[], chosen: boolean): Selection {
  if (selection.mode === 'ids') return { mode: 'ids', ids: changed(selection.ids, ids, chosen) };
  return { mode: 'query', excludeIds: changed(selection.excludeIds, ids, !chosen) };
}

function changed(set: ReadonlySet<string>, ids: readonly string[], isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const id of ids) {
    if (isIn) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** @param total the number of contacts that match the filter of the list */
export const sizeOf = (selection: Selection, total: number): number =>
  selection.mode === 'ids' ? selection.ids.size : Math.max(0, total - selection.excludeIds.size);

/** A filter of the list that bulk changes support. They cannot distinguish snoozed contacts from other unsubscribed ones. */
export interface BulkFilter {
  search?: string;
  subscribed?: boolean;
}

/** What a change of many contacts is about. */
export interface BulkChangeProps {
  selection: Selection;
  filter: BulkFilter;
  /** The number of selected contacts. */
  count: number;
  onDone: () => void;
}

/** @returns null if bulk changes do not support the filter */
export function bulkFilterOf(search: string, status: string): BulkFilter | null {
  if (status !== '' && status !== 'subscribed') return null;
  return { ...(search !== '' && { search }), ...(status === 'subscribed' && { subscribed: true }) };
}

export const bulkInput = (selection: Selection, filter: BulkFilter) =>
  selection.mode === 'ids'
    ? { mode: 'ids' as const, contactIds: [...selection.ids] }
    : { mode: 'query' as const, filter, excludeIds: [...selection.excludeIds] };
