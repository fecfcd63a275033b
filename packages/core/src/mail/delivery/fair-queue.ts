import { type Owners, type Turn, TurnOrder } from '../../base/kernel/index.ts';

interface Line<T> {
  items: ({ item: T; rank: number } | undefined)[];
  /** index of the first item that was not taken */
  head: number;
}

/**
 * What to do with the first item of a project: take it, use it and leave it in its place, pass over its project this time, or
 * remove it.
 */
export type Verdict = 'take' | 'use' | 'pass' | 'drop';

/** A queue in the order of turns; the items of one project are in the order of their rank, and of their arrival within it. */
export class FairQueue<T> {
  readonly #order: TurnOrder<Line<T>>;
  #size = 0;

  constructor(owners: Owners) {
    this.#order = new TurnOrder(owners);
  }

  get size(): number {
    return this.#size;
  }

  /** Number of owners whose items wait; all unproven ones count as one. */
  get turns(): number {
    return this.#order.turns;
  }

  /** @param rank the lower, the earlier among the items of its project */
  add(projectId: string, item: T, rank = 0): void {
    this.#size += 1;
    const line = this.#order.place(projectId, () => ({ items: [], head: 0 }));
    let at = line.items.length;
    while (at > line.head && (line.items[at - 1]?.rank ?? rank) > rank) at -= 1;
    line.items.splice(at, 0, { item, rank });
  }

  /** The first item that `judge` takes or uses; its project then waits for the others' turns. */
  take(judge: (item: T, turn: Turn) => Verdict): T | undefined {
    const ended: string[] = [];
    const found = this.#order.first((line, projectId, turn) => {
      for (;;) {
        const entry = line.items[line.head];
        if (entry === undefined) {
          ended.push(projectId);
          return undefined;
        }
        const { item } = entry;
        const verdict = judge(item, turn);
        if (verdict === 'pass') return undefined;
        if (verdict !== 'use') this.#shift(line);
        if (verdict === 'drop') continue;
        this.#order.served(projectId);
        if (line.head >= line.items.length) this.#order.delete(projectId);
        return { item };
      }
    });
    for (const projectId of ended) this.#order.delete(projectId);
    return found?.item;
  }

  #shift(line: Line<T>): void {
    this.#size -= 1;
    line.items[line.head] = undefined;
    line.head += 1;
    if (line.head < 64 || line.head * 2 < line.items.length) return;
    line.items.splice(0, line.head);
    line.head = 0;
  }
}
