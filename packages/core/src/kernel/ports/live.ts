/** Changes of records as they happen in any process (behaviour B4.21). */
export interface Live {
  /**
   * Watches a topic of a project. Resolves when no later change can be missed.
   *
   * @throws AppError RATE_LIMIT_EXCEEDED when the project watches too much already
   */
  watch(projectId: string, ...topics: string[]): Promise<Watch>;
  /** Ends all watches of this process. */
  close(): Promise<void>;
}

export interface Watch {
  /**
   * Resolves with true after a change since the last call, and now and then without one, in case a notification was lost; with
   * false when the watch has ended.
   */
  next(): Promise<boolean>;
  /** The topics that changed before the last `next` resolved; none when it resolved without a change. */
  readonly changes: readonly string[];
  close(): void;
}
