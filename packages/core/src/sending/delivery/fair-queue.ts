interface Line<T> {
  items: ({ item: T; rank: number } | undefined)[];
  /** index of the first item that was not taken */
  head: number;
}

/**
 * What to do with the first item of a key: take it, use it and leave it in its place, pass over its key this time, or
 * remove it.
 */
export type Verdict = 'take' | 'use' | 'pass' | 'drop';

/** A queue that serves its keys in turn; the items of one key are in the order of their rank, and of their arrival within it. */
export class FairQueue<T> {
  readonly #lines = new Map<string, Line<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get keys(): number {
    return this.#lines.size;
  }

  /** @param rank the lower, the earlier among the items of its key */
  add(key: string, item: T, rank = 0): void {
    this.#size += 1;
    const line = this.#lines.get(key) ?? { items: [], head: 0 };
    this.#lines.set(key, line);
    let at = line.items.length;
    while (at > line.head && (line.items[at - 1]?.rank ?? rank) > rank) at -= 1;
    line.items.splice(at, 0, { item, rank });
  }

  /** The first item that `judge` takes or uses; its key then waits for the others' turns. */
  take(judge: (item: T, key: string) => Verdict): T | undefined {
    for (const [key, line] of this.#lines) {
      for (;;) {
        const entry = line.items[line.head];
        if (entry === undefined) break;
        const { item } = entry;
        const verdict = judge(item, key);
        if (verdict === 'pass') break;
        if (verdict !== 'use') this.#shift(line);
        if (verdict === 'drop') continue;
        this.#lines.delete(key);
        if (line.head < line.items.length) this.#lines.set(key, line);
        return item;
      }
      if (line.head >= line.items.length) this.#lines.delete(key);
    }
    return undefined;
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
