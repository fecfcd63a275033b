import type { Services } from '@postrider/core/base/kernel';
import { clientNetwork } from '@postrider/core/base/lib';
import { Counter } from 'prom-client';

export type Refusal =
  | 'blocked'
  | 'connections'
  | 'loop'
  | 'rate'
  | 'recipients'
  | 'too_large'
  | 'unavailable'
  | 'unknown_address';

const refusals = new Counter({
  name: 'postrider_report_refusals_total',
  help: 'Connections, recipients and messages that the bounce receiver refused, by reason',
  labelNames: ['reason'],
});

const minuteMs = 60_000;
/** Lines that are logged per minute: those of the clients that were refused most. */
const mostLines = 20;

/** Counts refusals, and logs those of a minute as one line for each client and reason: an attack fills no log. */
export class Refusals {
  readonly #log: Services['log'];
  readonly #counts = new Map<string, { reason: Refusal; client: string; count: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(log: Services['log']) {
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), minuteMs).unref();
  }

  note(reason: Refusal, address: string): void {
    refusals.inc({ reason });
    const client = clientNetwork(address);
    const key = `${reason} ${client}`;
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { reason, client, count: 1 });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#write();
  }

  #write(): void {
    const most = [...this.#counts.values()].toSorted((a, b) => b.count - a.count).slice(0, mostLines);
    this.#counts.clear();
    for (const { reason, client, count } of most)
      this.#log.info({ reason, client, perMinute: count }, 'report refused');
  }
}
