import { type Share, whole } from '@postrider/core/base/lib';

const windowMs = 60_000;

/** Failed logins by address in windows of a minute. */
export class FailedLogins {
  readonly #most: number;
  readonly #share: Share;
  readonly #windows = new Map<string, { start: number; count: number }>();

  /** @param share the part of the limit that this process has */
  constructor(most: number, share = whole) {
    this.#most = most;
    this.#share = share;
  }

  add(address: string, now = performance.now()): void {
    const window = this.#windowOf(address, now);
    if (window) window.count += 1;
    else this.#windows.set(address, { start: now, count: 1 });
  }

  /** Whether the address has to wait. */
  isBlocked(address: string, now = performance.now()): boolean {
    return (this.#windowOf(address, now)?.count ?? 0) >= this.#share(this.#most);
  }

  /** Windows are in the order of their start, so the ended ones come first. */
  #windowOf(address: string, now: number): { count: number } | undefined {
    for (const [ended, { start }] of this.#windows) {
      if (now - start < windowMs) break;
      this.#windows.delete(ended);
    }
    return this.#windows.get(address);
  }
}
