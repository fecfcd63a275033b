/** Numbers by key. A key whose number is zero again is forgotten, so that what is counted for clients or owners does not pile up. */
export class Counts<Key = string> implements Iterable<[key: Key, count: number]> {
  readonly #counts = new Map<Key, number>();

  /** Number of keys that have something. */
  get size(): number {
    return this.#counts.size;
  }

  get(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  has(key: Key): boolean {
    return this.#counts.has(key);
  }

  add(key: Key, change: number): void {
    const count = this.get(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /**
   * Takes one of the places of a key.
   *
   * @param places how many the key has
   * @returns a function that gives it back, to be called once; null when none is free
   */
  take(key: Key, places: number): (() => void) | null {
    if (this.get(key) >= places) return null;
    this.add(key, 1);
    return () => this.add(key, -1);
  }

  [Symbol.iterator](): MapIterator<[Key, number]> {
    return this.#counts.entries();
  }
}
