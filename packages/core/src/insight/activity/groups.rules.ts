/** What groups are made of. */
interface Grouped {
  type: string;
  /** `YYYY-MM-DD` */
  day: string;
  at: Date;
  source: string;
}

export interface Group<Item> {
  key: string;
  type: string;
  day: string;
  count: number;
  first: Date;
  last: Date;
  item: Item;
}

/**
 * Items of the same type, day and source as one group each.
 *
 * @param items newest first
 * @returns groups in the order of their newest items
 */
export function groupsOf<Item>(items: readonly Item[], describe: (item: Item) => Grouped): Group<Item>[] {
  const groups = new Map<string, Group<Item>>();
  for (const item of items) {
    const { type, day, at, source } = describe(item);
    const key = `${day} ${type} ${source}`;
    const group = groups.get(key);
    if (group) {
      group.count += 1;
      group.first = at;
    } else groups.set(key, { key, type, day, count: 1, first: at, last: at, item });
  }
  return [...groups.values()];
}
