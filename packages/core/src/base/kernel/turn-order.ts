import { type Owners, type Turn, turnKey } from './ports/owners.ts';

/** A branch (owners, or all unproven ones), or the leaf of a project. */
interface Node<Leaf> {
  readonly key: string;
  readonly parent: Node<Leaf> | null;
  /** in the order of their turns: the one that was served last is the last one; null for a leaf */
  readonly children: Map<string, Node<Leaf>> | null;
  readonly place: Place<Leaf> | null;
}

interface Place<Leaf> {
  readonly projectId: string;
  readonly turn: Turn;
  readonly leaf: Leaf;
}

/**
 * The order in which every fair queue serves projects (behaviour B8.6). Owners take turns, all unproven owners together count as one, and
 * they take turns within theirs, as do the projects of an owner. More projects or accounts therefore bring nobody more turns.
 */
export class TurnOrder<Leaf> {
  readonly #owners: Owners;
  readonly #root = branch<Leaf>('', null);
  readonly #leaves = new Map<string, Node<Leaf>>();

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /** Number of projects. */
  get size(): number {
    return this.#leaves.size;
  }

  /** The number of owners. All unproven ones count as one. */
  get turns(): number {
    return this.#root.children?.size ?? 0;
  }

  get(projectId: string): Leaf | undefined {
    return this.#leaves.get(projectId)?.place?.leaf;
  }

  leaves(): Leaf[] {
    return [...this.#leaves.values()].flatMap(({ place }) => (place ? [place.leaf] : []));
  }

  /** Adds a project at the end, or finds it. Its place follows its owner. */
  place(projectId: string, create: () => Leaf): Leaf {
    const existing = this.#leaves.get(projectId)?.place;
    if (existing) {
      this.#follow(existing);
      return existing.leaf;
    }
    const leaf = create();
    this.#insert({ projectId, turn: this.#owners.turnOf(projectId), leaf });
    void this.#owners.known(projectId)?.then(() => {
      const place = this.#leaves.get(projectId)?.place;
      if (place) this.#follow(place);
    });
    return leaf;
  }

  delete(projectId: string): void {
    const node = this.#leaves.get(projectId);
    this.#leaves.delete(projectId);
    for (let child = node; child?.parent; child = child.parent) {
      child.parent.children?.delete(child.key);
      if (child.parent.children?.size !== 0) return;
    }
  }

  clear(): void {
    this.#leaves.clear();
    this.#root.children?.clear();
  }

  /** The first result that is not undefined, of the projects in the order of their turns. */
  first<Result>(
    visit: (leaf: Leaf, projectId: string, turn: Turn) => Result | undefined,
  ): Result | undefined {
    return visitIn(this.#root, visit);
  }

  /** It was this project's turn: it goes to the end of its owner's projects, and the owner to the end of the owners. */
  served(projectId: string): void {
    for (let child = this.#leaves.get(projectId); child?.parent; child = child.parent) {
      const siblings = child.parent.children;
      if (!siblings || siblings.size === 1) continue;
      siblings.delete(child.key);
      siblings.set(child.key, child);
    }
  }

  /**
   * Turns over the projects: each call gives one owner a turn, and inside it one project, which may give a result. A
   * project without one is not asked again. Meanwhile the order must not change.
   */
  rounds<Result>(
    give: (leaf: Leaf, projectId: string, turn: Turn) => Result | undefined,
  ): () => Result | undefined {
    return roundsOf(this.#root, give);
  }

  /** Moves a project whose owner has become known, has changed, or has proved the address. */
  #follow(place: Place<Leaf>): void {
    const turn = this.#owners.turnOf(place.projectId);
    if (turn === place.turn || (turn.owner === place.turn.owner && turn.isProven === place.turn.isProven))
      return;
    this.delete(place.projectId);
    this.#insert({ ...place, turn });
  }

  #insert(place: Place<Leaf>): void {
    const { projectId, turn } = place;
    const path = turn.isProven ? [turnKey(turn)] : [turnKey(turn), turn.owner];
    let parent = this.#root;
    for (const key of path) {
      const next = parent.children?.get(key) ?? branch(key, parent);
      parent.children?.set(key, next);
      parent = next;
    }
    const node = { key: projectId, parent, children: null, place };
    parent.children?.set(projectId, node);
    this.#leaves.set(projectId, node);
  }
}

const branch = <Leaf>(key: string, parent: Node<Leaf> | null): Node<Leaf> => ({
  key,
  parent,
  children: new Map(),
  place: null,
});

function visitIn<Leaf, Result>(
  { place, children }: Node<Leaf>,
  visit: (leaf: Leaf, projectId: string, turn: Turn) => Result | undefined,
): Result | undefined {
  if (place) return visit(place.leaf, place.projectId, place.turn);
  for (const child of children?.values() ?? []) {
    const result = visitIn(child, visit);
    if (result !== undefined) return result;
  }
  return undefined;
}

function roundsOf<Leaf, Result>(
  { place, children }: Node<Leaf>,
  give: (leaf: Leaf, projectId: string, turn: Turn) => Result | undefined,
): () => Result | undefined {
  if (place) return () => give(place.leaf, place.projectId, place.turn);
  const [only] = children?.size === 1 ? children.values() : [];
  if (only) return roundsOf(only, give);
  // Those that are not asked cost nothing: there may be thousands.
  const first = children?.values();
  let again: (() => Result | undefined)[] = [];
  let asked: typeof again = [];
  let at = 0;
  const nextChild = (): (() => Result | undefined) | undefined => {
    const { value } = first?.next() ?? {};
    if (value) return roundsOf(value, give);
    if (at >= again.length) [again, asked, at] = [asked, [], 0];
    const child = again[at];
    at += 1;
    return child;
  };
  return () => {
    for (let child = nextChild(); child; child = nextChild()) {
      const result = child();
      if (result === undefined) continue;
      asked.push(child);
      return result;
    }
    return undefined;
  };
}
