/** A map of bounded size, which forgets the entry that was not used for the longest time. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;
  /** the most recently used entry, which is the last one already */
  #newest: Key | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || key === this.#newest) return value;
    // Moved to the end, so that the first entry is the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.#most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
