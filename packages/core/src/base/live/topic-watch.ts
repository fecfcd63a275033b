import type { Watch } from '../kernel/index.ts';
import type { Pauses } from './pause.rules.ts';

/** Looks without a notification: one can get lost when the database restarts. The right of the caller is read again as often. */
const fallbackMs = 10_000;

/** One watch: merges the changes that arrive while its last one is processed. */
export class TopicWatch implements Watch {
  readonly #pauses: () => Pauses;
  readonly #onClose: () => void;
  readonly #changed = new Set<string>();
  changes: readonly string[] = [];
  readonly #end = new AbortController();
  #lastAt = 0;
  #resume: (() => void) | null = null;

  /** @param pauses asked before each look */
  constructor(pauses: () => Pauses, onClose: () => void) {
    this.#pauses = pauses;
    this.#onClose = onClose;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  wake(topic: string): void {
    this.#changed.add(topic);
    this.#resume?.();
  }

  /** What has changed until now does not count. */
  begin(): void {
    this.#changed.clear();
  }

  close(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#resume?.();
    this.#onClose();
  }

  async next(): Promise<boolean> {
    if (this.#changed.size === 0) await this.#pause(fallbackMs, () => this.#changed.size > 0);
    const { afterLook, afterChange } = this.#pauses();
    const early = Math.max(afterChange, this.#lastAt + afterLook - performance.now());
    if (early > 0) await this.#pause(early, () => false);
    this.changes = [...this.#changed];
    this.#changed.clear();
    this.#lastAt = performance.now();
    return !this.#end.signal.aborted;
  }

  /** Waits for the time to pass, for the watch to be closed, or for `until` to hold after a change. */
  #pause(ms: number, until: () => boolean): Promise<void> {
    if (this.#end.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#resume = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#resume = () => {
        if (this.#end.signal.aborted || until()) end();
      };
    });
  }
}
