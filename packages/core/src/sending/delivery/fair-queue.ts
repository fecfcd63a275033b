interface Line<T> {
  items: (T | undefined)[];
  /** index of the first item that was not taken */
  head: number;
}

/**
 * What to do with the first item of a key: take it, use it and leave it in its place, pass over its key this time, or
 * remove it.
 */
export type Verdict = 'take' | 'use' | 'pass' | 'drop';

/** A queue that serves its keys in turn; the items of one key keep their order. */
export class FairQueue<T> {
  readonly #lines = new Map<string, Line<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get keys(): number {
    return this.#lines.size;
  }

  add(key: string, item: T): void {
    this.#size += 1;
    const line = this.#lines.get(key);
    if (line) line.items.push(item);
    else this.#lines.set(key, { items: [item], head: 0 });
  }

  /** The first item that `judge` takes or uses; its key then waits for the others' turns. */
  take(judge: (item: T, key: string) => Verdict): T | undefined {
    for (const [key, line] of this.#lines) {
      for (;;) {
        const item = line.items[line.head];
        if (item === undefined) break;
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
