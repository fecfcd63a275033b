import { type Owners, type Turn, turnKey } from '../../base/kernel/ports/owners.ts';
import { TurnOrder } from '../../base/kernel/turn-order.ts';

interface Entry<Item> {
  item: Item;
  /** the turn that it counts for */
  key: string;
}

interface Waiting<Item> {
  urgent: Entry<Item>[];
  normal: Entry<Item>[];
}

/** How many items may wait. */
export interface WaitingBounds {
  ofProject: number;
  /** of all projects of an owner, and of all unproven owners together */
  ofTurn: number;
}

/**
 * Items that wait, in one queue per project, which are served in the order of turns. Urgent items of a project go before its others;
 * otherwise the oldest is first.
 */
export class FairQueue<Item> {
  readonly #owners: Owners;
  readonly #bounds: WaitingBounds;
  readonly #order: TurnOrder<Waiting<Item>>;
  readonly #ofTurn = new Map<string, number>();

  constructor(owners: Owners, bounds: WaitingBounds) {
    this.#owners = owners;
    this.#bounds = bounds;
    this.#order = new TurnOrder(owners);
  }

  /** @returns false when too many items of the project, or of its owner, wait */
  add(projectId: string, item: Item, isUrgent = false): boolean {
    const own = this.#order.get(projectId);
    if (own && own.urgent.length + own.normal.length >= this.#bounds.ofProject) return false;
    const key = turnKey(this.#owners.turnOf(projectId));
    const ofTurn = this.#ofTurn.get(key) ?? 0;
    if (ofTurn >= this.#bounds.ofTurn) return false;
    this.#ofTurn.set(key, ofTurn + 1);
    const { urgent, normal } = this.#order.place(projectId, () => ({ urgent: [], normal: [] }));
    (isUrgent ? urgent : normal).push({ item, key });
    return true;
  }

  /** The first item of the next project that may be served. */
  take(mayServe: (turn: Turn, projectId: string) => boolean): Item | undefined {
    return this.#order.first(({ urgent, normal }, projectId, turn) => {
      if (!mayServe(turn, projectId)) return undefined;
      const entry = urgent.shift() ?? normal.shift();
      this.#order.served(projectId);
      if (urgent.length + normal.length === 0) this.#order.delete(projectId);
      return entry && this.#taken(entry);
    });
  }

  /** Removes an item that waits. */
  remove(projectId: string, item: Item): void {
    const own = this.#order.get(projectId);
    if (!own) return;
    for (const entries of [own.urgent, own.normal]) {
      const [entry] = entries.splice(indexOf(entries, item), 1);
      if (entry) this.#taken(entry);
    }
    if (own.urgent.length + own.normal.length === 0) this.#order.delete(projectId);
  }

  /** Removes and returns everything. */
  clear(): Item[] {
    const items = this.#order.leaves().flatMap(({ urgent, normal }) => [...urgent, ...normal]);
    this.#order.clear();
    return items.map((entry) => this.#taken(entry));
  }

  #taken({ item, key }: Entry<Item>): Item {
    const left = (this.#ofTurn.get(key) ?? 1) - 1;
    if (left === 0) this.#ofTurn.delete(key);
    else this.#ofTurn.set(key, left);
    return item;
  }
}

/** @returns the length of the list, at which nothing is removed, if it is not there */
function indexOf<Item>(entries: readonly Entry<Item>[], item: Item): number {
  const index = entries.findIndex((entry) => entry.item === item);
  return index === -1 ? entries.length : index;
}
