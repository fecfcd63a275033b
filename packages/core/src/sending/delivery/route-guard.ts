import type { RouteFailed } from '../../kernel/ports/mail-transport.ts';
import type { Services } from '../../kernel/services.ts';
import { pauseRoute, type RouteState, readRoute, resumeRoute, takeProbe } from '../ledger/route.store.ts';
import type { DeliveryOptions } from './delivery-engine.ts';

/** How long a worker believes what it last read of its route. */
const freshMs = 500;

export type Permit = { kind: 'open' } | { kind: 'probe' } | { kind: 'closed'; retryInMs: number };

/** Name of the way out, shared by every worker that uses the same server. */
export const routeId = (config: Services['config']): string => {
  if (config.MAIL_TRANSPORT === 'ses') return `ses:${config.AWS_REGION ?? ''}`;
  const { protocol, host } = new URL(config.SMTP_URL);
  return `${protocol}//${host}`;
};

/** Keeps mail waiting while the mail server cannot be used, and lets one message through now and then to find out. */
export class RouteGuard {
  readonly #services: Services;
  readonly #options: DeliveryOptions;
  readonly #id: string;
  #state: RouteState = { paused: false, reason: null, nextProbeAt: null };
  #readAt = 0;

  constructor(services: Services, options: DeliveryOptions) {
    this.#services = services;
    this.#options = options;
    this.#id = routeId(services.config);
  }

  async permit(): Promise<Permit> {
    const { pool } = this.#services.database;
    if (performance.now() - this.#readAt > freshMs) {
      this.#state = await readRoute(pool, this.#id);
      this.#readAt = performance.now();
    }
    const { paused, nextProbeAt, reason } = this.#state;
    if (!paused) return { kind: 'open' };
    if (
      nextProbeAt &&
      nextProbeAt.getTime() <= Date.now() &&
      (await takeProbe(pool, this.#id, this.#delays(reason)))
    ) {
      this.#readAt = 0;
      return { kind: 'probe' };
    }
    const wait = (nextProbeAt?.getTime() ?? 0) - Date.now();
    return { kind: 'closed', retryInMs: Math.min(2_000, Math.max(100, wait)) };
  }

  async failed(failure: RouteFailed): Promise<void> {
    const reason = `${failure.reason}: ${failure.error}`;
    if (!this.#state.paused) this.#services.log.warn({ route: this.#id, reason }, 'route paused');
    this.#state = { paused: true, reason, nextProbeAt: null };
    this.#readAt = 0;
    await pauseRoute(this.#services.database.pool, this.#id, reason, this.#delays(reason)[0] ?? 5);
  }

  async worked(): Promise<void> {
    if (!this.#state.paused) return;
    this.#state = { paused: false, reason: null, nextProbeAt: null };
    await resumeRoute(this.#services.database.pool, this.#id);
    this.#services.log.info({ route: this.#id }, 'route works again');
  }

  #delays(reason: string | null): number[] {
    return reason?.startsWith('auth:') ? this.#options.authProbeSeconds : this.#options.probeSeconds;
  }
}
