import { type Owners, ownTurns, type Turn, turnKey } from '../../kernel/ports/owners.ts';
import { TurnOrder } from '../../kernel/turn-order.ts';

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

/** The names of locks that are in use. */
interface Held {
  has(name: string): boolean;
}

interface Entry<Item> {
  item: Item;
  place: Place;
  /** the turn that it counts for */
  key: string;
}

interface Own<Item> {
  entries: Entry<Item>[];
  weight: number;
}

/**
 * A queue in which the items of one owner never delay those of another. Unlike those of `FairQueue`, its items are taken by the group: they
 * have a weight, and one whose locks are in use is overtaken by later items of its own project.
 */
export class GroupQueue<Item> {
  readonly #owners: Owners;
  readonly #order: TurnOrder<Own<Item>>;
  readonly #perOwner: Bound;
  readonly #perTurn: Bound;
  readonly #total: Bound;
  /** what waits, by turn */
  readonly #ofTurn = new Map<string, Bound>();
  #count = 0;
  #weight = 0;

  /** @param owners whose turns they are; by default each `Place.owner` has its own */
  constructor({ perOwner, total, owners = ownTurns }: { perOwner: Bound; total: Bound; owners?: Owners }) {
    this.#owners = owners;
    this.#order = new TurnOrder(owners);
    this.#perOwner = perOwner;
    this.#perTurn =
      owners === ownTurns ? total : { count: Math.ceil(total.count / 2), weight: total.weight / 2 };
    this.#total = total;
  }

  get length(): number {
    return this.#count;
  }

  /** Which bound the queue has reached for this owner; null while there is room. */
  fullFor(owner: string): 'owner' | 'total' | null {
    const own = this.#order.get(owner);
    if (own && isAt({ count: own.entries.length, weight: own.weight }, this.#perOwner)) return 'owner';
    const ofTurn = this.#ofTurn.get(turnKey(this.#owners.turnOf(owner)));
    if (this.#perTurn !== this.#total && ofTurn && isAt(ofTurn, this.#perTurn)) return 'owner';
    return isAt({ count: this.#count, weight: this.#weight }, this.#total) ? 'total' : null;
  }

  add(item: Item, place: Place): void {
    const own = this.#order.place(place.owner, () => ({ entries: [], weight: 0 }));
    const key = turnKey(this.#owners.turnOf(place.owner));
    own.entries.push({ item, place, key });
    own.weight += place.weight;
    this.#countIn(key, 1, place.weight);
  }

  /**
   * Removes the items of the next group: one of each turn after another, until the group is full or nothing more fits.
   *
   * @param held names of locks that are in use elsewhere. An item that needs one waits, and so does every later item that needs a
   * lock of that one: nothing is overtaken on its locks.
   * @param mayTake whether an owner takes part
   */
  take(
    most: Bound,
    held: Held = new Set(),
    mayTake: (owner: string, turn: Turn) => boolean = () => true,
  ): Entry<Item>[] {
    const group = new Group<Item>(most, held);
    const nextOf = new Map<Own<Item>, number>();
    const give = this.#order.rounds((own, owner, turn) => {
      if (!mayTake(owner, turn)) return undefined;
      for (let at = nextOf.get(own) ?? 0; at < own.entries.length; at += 1) {
        const entry = own.entries[at];
        nextOf.set(own, at + 1);
        if (entry && group.accepts(entry)) return entry;
        if (group.isFull) return undefined;
      }
      return undefined;
    });
    while (!group.isFull && give() !== undefined);
    this.#remove(group.entries);
    return group.entries;
  }

  /** Those that were served go to the end of the line. */
  #remove(entries: readonly Entry<Item>[]): void {
    const taken = new Set(entries);
    for (const { place, key } of entries) this.#countIn(key, -1, -place.weight);
    for (const owner of new Set(entries.map(({ place }) => place.owner))) {
      const own = this.#order.get(owner);
      if (!own) continue;
      this.#order.served(owner);
      own.entries = own.entries.filter((entry) => !taken.has(entry));
      own.weight = sum(own.entries);
      if (own.entries.length === 0) this.#order.delete(owner);
    }
  }

  #countIn(key: string, count: number, weight: number): void {
    this.#count += count;
    this.#weight += weight;
    const ofTurn = this.#ofTurn.get(key) ?? { count: 0, weight: 0 };
    ofTurn.count += count;
    ofTurn.weight += weight;
    if (ofTurn.count === 0) this.#ofTurn.delete(key);
    else this.#ofTurn.set(key, ofTurn);
  }
}

const isAt = (now: Bound, bound: Bound): boolean => now.count >= bound.count || now.weight >= bound.weight;

const sum = (entries: readonly Entry<unknown>[]): number =>
  entries.reduce((total, { place }) => total + place.weight, 0);

/** The group that `take` fills. */
class Group<Item> {
  readonly entries: Entry<Item>[] = [];
  readonly #most: Bound;
  readonly #held: Held;
  readonly #locks = new Map<string, string | null>();
  readonly #blocked = new Set<string>();
  #weight = 0;

  constructor(most: Bound, held: Held) {
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
