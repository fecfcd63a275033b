/** Changes of records as they happen in any process (behaviour B4.21). */
export interface Live {
  /**
   * Watches topics of a project. Resolves when no later change can be missed.
   *
   * @throws AppError RATE_LIMIT_EXCEEDED when the owner, or the process, watches too much already
   */
  watch(watcher: Watcher, ...topics: string[]): Promise<Watch>;
  /** Refuses what `watch` would refuse, before anything is read. @throws AppError RATE_LIMIT_EXCEEDED */
  assertRoom(owner: string): void;
  /** Ends all watches of this process. */
  close(): Promise<void>;
}

export interface Watcher {
  projectId: string;
  /** whose watches are counted together */
  owner: string;
}

export interface Watch {
  /**
   * Resolves with true after a change since the last call, and now and then without one, in case a notification was lost; with
   * false when the watch has ended.
   */
  next(): Promise<boolean>;
  /** The topics that changed before the last `next` resolved; none when it resolved without a change. */
  readonly changes: readonly string[];
  /** aborted when the watch has ended */
  readonly ended: AbortSignal;
  close(): void;
}
