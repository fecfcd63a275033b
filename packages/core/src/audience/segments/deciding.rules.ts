import type { FilterTree } from './filters.rules.ts';

/** Whether a tree matches, and by which of its filters. */
export interface Decision {
  matches: boolean;
  /** the filters that decided, by their places in the order of `filtersOf` */
  by: number[];
}

/**
 * Decides a tree by whether each of its filters matches. Of several that would decide alike, the first does: a filter that fails of those that
 * must all match, or a group that matches of those of which any may.
 *
 * @param each in the order of `filtersOf`
 */
export function decide(tree: FilterTree, each: readonly boolean[]): Decision {
  let place = 0;
  const node = ({ logic, groups }: FilterTree): Decision => {
    const parts = groups.map(({ filters, conditions }): Decision => {
      const places = filters.map(() => place++);
      // Also where a filter decides: what follows has the next places.
      const nested = conditions ? node(conditions) : null;
      const failing = places.find((at) => !each[at]);
      if (failing !== undefined) return { matches: false, by: [failing] };
      if (nested && !nested.matches) return nested;
      return { matches: true, by: [...places, ...(nested?.by ?? [])] };
    });
    const isAnd = logic === 'AND';
    const deciding = parts.find(({ matches }) => matches !== isAnd);
    return deciding ?? { matches: isAnd, by: parts.flatMap(({ by }) => by) };
  };
  return node(tree);
}
