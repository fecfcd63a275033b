export interface CacheBounds {
  count: number;
  bytes: number;
}

let share = 1;

/** How much of their bounds all caches of the process use from their next value on: less while memory is short. */
export const shareOfCaches = (of: number): void => {
  share = of;
};

/**
 * A map that is bounded by the number of its values and by their bytes together, and forgets those first that were not used for longest. The one
 * that was used last stays, however large it is. Each `set` adds up all bytes, so it is for few and large values; `RecentMap` is for many.
 */
export class BoundedCache<Key, Value> {
  readonly #bounds: CacheBounds;
  readonly #bytesOf: (value: Value) => number;
  /** The first one is the least recently used. */
  readonly #values = new Map<Key, Value>();

  constructor(bounds: CacheBounds, bytesOf: (value: Value) => number) {
    this.#bounds = bounds;
    this.#bytesOf = bytesOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.#putLast(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#putLast(key, value);
    this.trim();
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }

  /** To be called when a value has grown. */
  trim(): void {
    let bytes = 0;
    for (const value of this.#values.values()) bytes += this.#bytesOf(value);
    for (const [key, value] of this.#values) {
      const fits = this.#values.size <= share * this.#bounds.count && bytes <= share * this.#bounds.bytes;
      if (fits || this.#values.size === 1) return;
      bytes -= this.#bytesOf(value);
      this.#values.delete(key);
    }
  }

  #putLast(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }
}
