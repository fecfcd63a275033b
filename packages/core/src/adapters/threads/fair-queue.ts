/** Items that wait, in one queue per project. Projects take turns, so that a long queue delays only its own project. */
export class FairQueue<Item> {
  /** In the order of turns: the project that was served last is the last one. */
  readonly #queues = new Map<string, Item[]>();
  readonly #maxPerProject: number;

  constructor(maxPerProject: number) {
    this.#maxPerProject = maxPerProject;
  }

  /**
   * @param isUrgent goes before what the project itself has waiting
   * @returns false when the queue of the project is full
   */
  add(projectId: string, item: Item, isUrgent = false): boolean {
    const queue = this.#queues.get(projectId) ?? [];
    if (queue.length >= this.#maxPerProject) return false;
    if (isUrgent) queue.unshift(item);
    else queue.push(item);
    this.#queues.set(projectId, queue);
    return true;
  }

  /** The oldest item of the next project that may be served. */
  take(mayServe: (projectId: string) => boolean): Item | undefined {
    for (const [projectId, queue] of this.#queues) {
      if (!mayServe(projectId)) continue;
      const item = queue.shift();
      this.#queues.delete(projectId);
      if (queue.length > 0) this.#queues.set(projectId, queue);
      return item;
    }
    return undefined;
  }

  /** Removes and returns everything. */
  clear(): Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    return items;
  }
}
