import { randomUUID } from 'node:crypto';
import type { Tool } from './tool.ts';

/** A send that waits for its confirmation. */
export interface PendingSend {
  tool: Tool;
  input: Record<string, unknown>;
}

/** In milliseconds: how long a send can be confirmed. */
const lifetime = 5 * 60_000;
/** How many sends may wait at a time; the oldest makes room. */
const most = 100;

/** Sends that were shown and not yet confirmed. Each token is valid once, and for 5 minutes. */
export class PendingSends {
  readonly #sends = new Map<string, PendingSend & { until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  add(send: PendingSend): string {
    const [oldest] = this.#sends.keys();
    if (this.#sends.size >= most && oldest !== undefined) this.#sends.delete(oldest);
    const token = randomUUID();
    this.#sends.set(token, { ...send, until: this.#now() + lifetime });
    return token;
  }

  /** The send of a token, which is used up by this; undefined when there is none or it is too old. */
  take(token: string): PendingSend | undefined {
    const send = this.#sends.get(token);
    this.#sends.delete(token);
    return send && send.until > this.#now() ? send : undefined;
  }
}
