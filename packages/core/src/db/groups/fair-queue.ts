/** What the queue must know about an item. */
export interface Place {
  /** the project (or key) that the item belongs to: owners take turns */
  owner: string;
  /** estimated bytes */
  weight: number;
  /** Items that share a lock are not taken together, unless both give it the same value. */
  locks: readonly Lock[];
}

export interface Lock {
  name: string;
  /** null: never shared */
  value: string | null;
}

export interface Bound {
  count: number;
  weight: number;
}

interface Entry<Item> {
  item: Item;
  place: Place;
}

/** A queue in which the items of one owner never delay those of another. */
export class FairQueue<Item> {
  /** by owner, in the order of their turns */
  readonly #owners = new Map<string, { entries: Entry<Item>[]; weight: number }>();
  readonly #perOwner: Bound;
  readonly #total: Bound;
  #count = 0;
  #weight = 0;

  constructor({ perOwner, total }: { perOwner: Bound; total: Bound }) {
    this.#perOwner = perOwner;
    this.#total = total;
  }

  get length(): number {
    return this.#count;
  }

  /** Which bound the queue has reached for this owner; null while there is room. */
  fullFor(owner: string): 'owner' | 'total' | null {
    const own = this.#owners.get(owner);
    if (own && (own.entries.length >= this.#perOwner.count || own.weight >= this.#perOwner.weight))
      return 'owner';
    return this.#count >= this.#total.count || this.#weight >= this.#total.weight ? 'total' : null;
  }

  add(item: Item, place: Place): void {
    const own = this.#owners.get(place.owner) ?? { entries: [], weight: 0 };
    own.entries.push({ item, place });
    own.weight += place.weight;
    this.#owners.set(place.owner, own);
    this.#count += 1;
    this.#weight += place.weight;
  }

  /**
   * Removes the items of the next group: one of each owner in turn, until the group is full or nothing more fits.
   *
   * @param held names of locks that are in use elsewhere. An item that needs one waits, and so does every later item that needs a
   * lock of that one: nothing is overtaken on its locks.
   * @param mayTake whether an owner takes part
   */
  take(
    most: Bound,
    held: ReadonlyMap<string, unknown> = new Map(),
    mayTake: (owner: string) => boolean = () => true,
  ): Entry<Item>[] {
    const group = new Group<Item>(most, held);
    const turns = [...this.#owners]
      .filter(([owner]) => mayTake(owner))
      .map(([, { entries }]) => ({ entries, next: 0 }));
    for (let open = turns; open.length > 0 && !group.isFull; ) {
      open = open.filter((turn) => {
        for (; turn.next < turn.entries.length; turn.next += 1) {
          const entry = turn.entries[turn.next];
          if (entry && group.accepts(entry)) {
            turn.next += 1;
            return true;
          }
          if (group.isFull) return false;
        }
        return false;
      });
    }
    this.#remove(group.entries);
    return group.entries;
  }

  /** Owners that were served go to the end of the line. */
  #remove(entries: readonly Entry<Item>[]): void {
    const taken = new Set(entries);
    for (const owner of new Set(entries.map(({ place }) => place.owner))) {
      const own = this.#owners.get(owner);
      if (!own) continue;
      this.#owners.delete(owner);
      const rest = own.entries.filter((entry) => !taken.has(entry));
      if (rest.length === 0) continue;
      this.#owners.set(owner, { entries: rest, weight: sum(rest) });
    }
    this.#count -= entries.length;
    this.#weight -= sum(entries);
  }
}

const sum = (entries: readonly Entry<unknown>[]): number =>
  entries.reduce((total, { place }) => total + place.weight, 0);

/** The group that `take` fills. */
class Group<Item> {
  readonly entries: Entry<Item>[] = [];
  readonly #most: Bound;
  readonly #held: ReadonlyMap<string, unknown>;
  readonly #locks = new Map<string, string | null>();
  readonly #blocked = new Set<string>();
  #weight = 0;

  constructor(most: Bound, held: ReadonlyMap<string, unknown>) {
    this.#most = most;
    this.#held = held;
  }

  get isFull(): boolean {
    return this.entries.length >= this.#most.count || this.#weight >= this.#most.weight;
  }

  /** Adds the entry if its locks and the room allow it. The first entry always has room. */
  accepts(entry: Entry<Item>): boolean {
    const { locks, weight } = entry.place;
    const fits = this.entries.length === 0 || this.#weight + weight <= this.#most.weight;
    if (this.isFull || !fits || !locks.every((lock) => this.#isFree(lock))) {
      for (const { name } of locks) this.#blocked.add(name);
      return false;
    }
    for (const { name, value } of locks) this.#locks.set(name, value);
    this.#weight += weight;
    this.entries.push(entry);
    return true;
  }

  #isFree({ name, value }: Lock): boolean {
    if (this.#held.has(name) || this.#blocked.has(name)) return false;
    const taken = this.#locks.get(name);
    return taken === undefined || (taken !== null && taken === value);
  }
}
