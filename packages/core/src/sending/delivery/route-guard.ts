import type { RouteFailed } from '../../kernel/ports/mail-transport.ts';
import type { Services } from '../../kernel/services.ts';
import { pauseRoute, type RouteState, readRoute, resumeRoute, takeProbe } from '../ledger/route.store.ts';
import type { DeliveryOptions } from './delivery-options.ts';

/** How long a worker caches the state of its route. */
const freshMs = 500;

/** `probe`: the route is paused and one message may test whether it works again; `takeProbe` decides which. */
export type RouteCondition = { kind: 'open' } | { kind: 'probe' } | { kind: 'closed'; retryInMs: number };

/** Name of the route, shared by every worker that uses the same server. */
export const routeId = (config: Services['config']): string => {
  if (config.MAIL_TRANSPORT === 'ses') return `ses:${config.AWS_REGION ?? ''}`;
  const { protocol, host } = new URL(config.SMTP_URL);
  return `${protocol}//${host}`;
};

/** Holds email back while the mail server is unusable, and occasionally lets one message through as a probe. */
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

  async condition(): Promise<RouteCondition> {
    if (performance.now() - this.#readAt > freshMs) {
      this.#state = await readRoute(this.#services.database.pool, this.#id);
      this.#readAt = performance.now();
    }
    const { paused, nextProbeAt } = this.#state;
    if (!paused) return { kind: 'open' };
    const waitMs = (nextProbeAt?.getTime() ?? 0) - Date.now();
    if (nextProbeAt && waitMs <= 0) return { kind: 'probe' };
    return { kind: 'closed', retryInMs: Math.min(2_000, Math.max(100, waitMs)) };
  }

  /** Call only with a due message: an unused probe delays all email until the next one. */
  async takeProbe(): Promise<boolean> {
    this.#readAt = 0;
    return takeProbe(this.#services.database.pool, this.#id, this.#delays(this.#state.reason));
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
