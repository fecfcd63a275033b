import { Counts } from '../lib/counts.ts';
import { type Owners, type Turn, turnKey } from './ports/owners.ts';
import { TurnOrder } from './turn-order.ts';

interface Entry<Item> {
  item: Item;
  rank: number;
  /** the turn that it counts for; '' in a queue without bounds, where none is counted */
  key: string;
}

interface Line<Item> {
  entries: (Entry<Item> | undefined)[];
  /** index of the first entry that was not taken */
  head: number;
}

/** How many items may wait. */
export interface WaitingBounds {
  ofProject: number;
  /** of all projects of an owner, and of all unproven owners together */
  ofTurn: number;
}

/**
 * What to do with the first item of a project: take it, use it and leave it in its place, pass over its project this time, or
 * remove it.
 */
export type Verdict = 'take' | 'use' | 'pass' | 'drop';

/** A queue in the order of turns; the items of one project are in the order of their rank, and of their arrival within it. */
export class FairQueue<Item> {
  readonly #owners: Owners;
  readonly #bounds: WaitingBounds | undefined;
  readonly #order: TurnOrder<Line<Item>>;
  readonly #ofTurn = new Counts();
  #size = 0;

  /** @param bounds by default what waits is not bounded */
  constructor(owners: Owners, bounds?: WaitingBounds) {
    this.#owners = owners;
    this.#bounds = bounds;
    this.#order = new TurnOrder(owners);
  }

  get size(): number {
    return this.#size;
  }

  /** Number of owners whose items wait; all unproven ones count as one. */
  get turns(): number {
    return this.#order.turns;
  }

  /**
   * @param rank the lower, the earlier among the items of its project
   * @returns false when too many items of the project, or of its owner, wait
   */
  add(projectId: string, item: Item, rank = 0): boolean {
    const key = this.#bounds ? turnKey(this.#owners.turnOf(projectId)) : '';
    if (this.#bounds && this.#isFull(projectId, key, this.#bounds)) return false;
    if (this.#bounds) this.#ofTurn.add(key, 1);
    this.#size += 1;
    const { entries, head } = this.#order.place(projectId, () => ({ entries: [], head: 0 }));
    let at = entries.length;
    while (at > head && (entries[at - 1]?.rank ?? rank) > rank) at -= 1;
    entries.splice(at, 0, { item, rank, key });
    return true;
  }

  /** The first item that `judge` takes or uses; its project then waits for the others' turns. */
  take(judge: (item: Item, turn: Turn) => Verdict): Item | undefined {
    const ended: string[] = [];
    const found = this.#order.first((line, projectId, turn) => {
      for (;;) {
        const entry = line.entries[line.head];
        if (entry === undefined) {
          ended.push(projectId);
          return undefined;
        }
        const verdict = judge(entry.item, turn);
        if (verdict === 'pass') return undefined;
        if (verdict !== 'use') this.#shift(line, entry);
        if (verdict === 'drop') continue;
        this.#order.served(projectId);
        if (line.head >= line.entries.length) this.#order.delete(projectId);
        return entry;
      }
    });
    for (const projectId of ended) this.#order.delete(projectId);
    return found?.item;
  }

  /** Removes an item that waits. */
  remove(projectId: string, item: Item): void {
    const line = this.#order.get(projectId);
    const at = line?.entries.findIndex((entry) => entry?.item === item) ?? -1;
    if (!line || at === -1) return;
    const [entry] = line.entries.splice(at, 1);
    if (entry) this.#left(entry);
    if (line.head >= line.entries.length) this.#order.delete(projectId);
  }

  /** Removes and returns everything. */
  clear(): Item[] {
    const left = this.#order
      .leaves()
      .flatMap(({ entries }) => entries.filter((entry) => entry !== undefined));
    this.#order.clear();
    for (const entry of left) this.#left(entry);
    return left.map(({ item }) => item);
  }

  #isFull(projectId: string, key: string, { ofProject, ofTurn }: WaitingBounds): boolean {
    const line = this.#order.get(projectId);
    const ofThis = line ? line.entries.length - line.head : 0;
    return ofThis >= ofProject || this.#ofTurn.get(key) >= ofTurn;
  }

  #shift(line: Line<Item>, entry: Entry<Item>): void {
    this.#left(entry);
    line.entries[line.head] = undefined;
    line.head += 1;
    if (line.head < 64 || line.head * 2 < line.entries.length) return;
    line.entries.splice(0, line.head);
    line.head = 0;
  }

  #left({ key }: Entry<Item>): void {
    this.#size -= 1;
    if (this.#bounds) this.#ofTurn.add(key, -1);
  }
}
