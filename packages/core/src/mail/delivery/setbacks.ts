/** Pauses after a first failure and at most: of the emails of a content, and of everything. */
const first = 1_000;
const longest = { content: 300_000, all: 30_000 };

interface Setback {
  failures: number;
  /** until when a further failure belongs to the same attempt */
  until: number;
}

/**
 * Failures that say nothing about an email: no thread starts, a module is missing, a column is gone, the disk is full. What could not be
 * composed is given back for a pause, which grows with each attempt. When different contents fail and none succeeds, the process pauses
 * as a whole, so that another one, which may be well, gets the email; then it tries a few.
 */
export class Setbacks {
  readonly #contents = new Map<string, Setback>();
  /** contents that failed since one was composed last */
  readonly #failing = new Set<string>();
  #all: Setback = { failures: 0, until: 0 };

  /** @returns for how long the emails of the content are given back, and whether that is news */
  failed(contentId: string): { pauseMs: number; isNew: boolean } {
    this.#failing.add(contentId);
    if (this.#failing.size > 1) this.#all = again(this.#all, longest.all);
    const before = this.#contents.get(contentId) ?? { failures: 0, until: 0 };
    const after = again(before, longest.content);
    this.#contents.set(contentId, after);
    return { pauseMs: Math.max(0, after.until - performance.now()), isNew: after !== before };
  }

  succeeded(contentId: string): void {
    if (this.#contents.size === 0) return;
    this.#contents.delete(contentId);
    this.#failing.clear();
    this.#all = { failures: 0, until: 0 };
  }

  /** `paused`: nothing is to be claimed; `trial`: a few, to find out. */
  get state(): 'fine' | 'paused' | 'trial' {
    if (this.#all.failures === 0) return 'fine';
    return performance.now() < this.#all.until ? 'paused' : 'trial';
  }
}

/** The next pause, twice as long; the same one while it lasts. */
function again(before: Setback, longestMs: number): Setback {
  const now = performance.now();
  if (now < before.until) return before;
  return {
    failures: before.failures + 1,
    until: now + Math.min(longestMs, first * 2 ** Math.min(before.failures, 20)),
  };
}
