/** Lists in the data of contacts (behaviour B2.1): texts, each once, in the order of their addition. */

export const maxItems = 100;
export const maxItemLength = 100;

/** How a request changes a stored list: `remove` first, then `add`. */
export interface ListChange {
  add: string[];
  remove: string[];
}

/** Whether a value has the form of a change of a list. */
export const isListChange = (value: unknown): value is { add?: unknown; remove?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => key === 'add' || key === 'remove');

/** The items of a list, each once; undefined for what is none. */
export function readItems(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || !value.every(isItem)) return undefined;
  const items = [...new Set<string>(value)];
  return items.length <= maxItems ? items : undefined;
}

const isItem = (item: unknown): item is string =>
  typeof item === 'string' &&
  item !== '' &&
  (item.length <= maxItemLength || [...item].length <= maxItemLength);

/** What is stored after a change: at most `maxItems`, the earliest. @see `change_lists` in change-lists.sql, which does the same */
export function changedList(before: unknown, { add, remove }: ListChange): string[] {
  const stored: string[] = Array.isArray(before) ? before : typeof before === 'string' ? [before] : [];
  const gone = new Set(remove);
  return [...new Set([...stored.filter((item) => !gone.has(item)), ...add])].slice(0, maxItems);
}

/** One change that has the effect of both, the second after the first. */
export function joinedChanges(first: ListChange, second: ListChange): ListChange {
  const gone = new Set(second.remove);
  return {
    add: [...new Set([...first.add.filter((item) => !gone.has(item)), ...second.add])],
    remove: [...new Set([...first.remove, ...second.remove])],
  };
}

/** A list as one text: items that the separator or a quotation mark would tear apart are quoted, as in CSV. */
export const listText = (items: readonly string[]): string =>
  items.map((item) => (/[;"]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join('; ');
