interface Waiting<Item> {
  urgent: Item[];
  normal: Item[];
}

/**
 * Items that wait, in one queue per project. Projects take turns, so that a long queue delays only its own project. Urgent items of a project
 * go before its others; otherwise the oldest is first.
 */
export class FairQueue<Item> {
  /** In the order of turns: the project that was served last is the last one. */
  readonly #queues = new Map<string, Waiting<Item>>();
  readonly #maxPerProject: number;

  constructor(maxPerProject: number) {
    this.#maxPerProject = maxPerProject;
  }

  /** @returns false when the queue of the project is full */
  add(projectId: string, item: Item, isUrgent = false): boolean {
    const { urgent, normal } = this.#queues.get(projectId) ?? { urgent: [], normal: [] };
    if (urgent.length + normal.length >= this.#maxPerProject) return false;
    (isUrgent ? urgent : normal).push(item);
    this.#queues.set(projectId, { urgent, normal });
    return true;
  }

  /** The first item of the next project that may be served. */
  take(mayServe: (projectId: string, next: Item) => boolean): Item | undefined {
    for (const [projectId, waiting] of this.#queues) {
      const { urgent, normal } = waiting;
      const [next] = urgent.length > 0 ? urgent : normal;
      if (next === undefined || !mayServe(projectId, next)) continue;
      const item = urgent.shift() ?? normal.shift();
      this.#queues.delete(projectId);
      if (urgent.length + normal.length > 0) this.#queues.set(projectId, waiting);
      return item;
    }
    return undefined;
  }

  /** Removes and returns everything. */
  clear(): Item[] {
    const items = [...this.#queues.values()].flatMap(({ urgent, normal }) => [...urgent, ...normal]);
    this.#queues.clear();
    return items;
  }
}
