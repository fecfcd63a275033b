import type { Logger } from 'pino';
import type { CoreConfig } from '../../kernel/config.ts';
import { Pause } from '../../kernel/pause.ts';
import type { HandOver, RouteFailed } from '../../kernel/ports/mail-transport.ts';
import { pauseRoute, type RouteState, readRoute, resumeRoute, takeProbe } from '../ledger/route.store.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** How often the state of the route is read: while it works, and while it is paused. */
const openMs = 1_000;
const pausedMs = 250;

/** Name of the route, shared by every worker that uses the same server. */
export const routeId = (config: Pick<CoreConfig, 'MAIL_TRANSPORT' | 'AWS_REGION' | 'SMTP_URL'>): string => {
  if (config.MAIL_TRANSPORT === 'ses') return `ses:${config.AWS_REGION ?? ''}`;
  const { protocol, host } = new URL(config.SMTP_URL);
  return `${protocol}//${host}`;
};

export interface RouteEvents {
  /** whether a composed message waits that a probe could send */
  hasMessage(): boolean;
  /** messages may go out again, or one as a probe */
  onAdmitted(): void;
}

/** Holds email back while the mail server is unusable, and lets one message through as a probe when it is time. */
export class RouteGuard {
  readonly #id: string;
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #options: Pick<DeliveryOptions, 'probeSeconds' | 'authProbeSeconds'>;
  readonly #events: RouteEvents;
  readonly #log: Logger;
  readonly #stopped: AbortSignal;
  readonly #pause = new Pause();
  #paused = false;
  #reason: string | null = null;
  #probe: 'none' | 'granted' | 'under way' = 'none';
  /** the change that is to be written, after which the state is read again */
  #change: 'pause' | 'resume' | null = null;

  constructor(
    id: string,
    connection: LedgerConnection,
    watch: DatabaseWatch,
    options: Pick<DeliveryOptions, 'probeSeconds' | 'authProbeSeconds'>,
    events: RouteEvents,
    log: Logger,
    stopped: AbortSignal,
  ) {
    this.#id = id;
    this.#connection = connection;
    this.#watch = watch;
    this.#options = options;
    this.#events = events;
    this.#log = log;
    this.#stopped = stopped;
    stopped.addEventListener('abort', () => this.#pause.wake());
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Whether a message may go out now. While the route is paused, a granted probe admits one. */
  admits(): boolean {
    return !this.#paused || this.#probe === 'granted';
  }

  /** The transport has taken a message. */
  taken(): void {
    if (this.#paused) this.#probe = 'under way';
  }

  /** Learns from the result of an attempt. */
  ended(result: HandOver): void {
    if (result.kind === 'route') {
      if (!result.othersWork) this.#close(result);
    } else if (this.#paused && (result.kind === 'accepted' || result.kind === 'refused')) {
      this.#paused = false;
      this.#change = 'resume';
      this.#pause.wake();
      this.#log.info({ route: this.#id }, 'route works again');
      this.#events.onAdmitted();
    }
    if (this.#probe === 'under way') this.#probe = 'none';
  }

  /** Reads and writes the shared state of the route until the process stops. */
  async run(): Promise<void> {
    while (!this.#stopped.aborted) {
      try {
        await this.#watch.untilAnswered(() => this.#synchronise());
      } catch (error) {
        if (!this.#stopped.aborted) this.#log.error({ err: error }, 'the state of the route is unknown');
      }
      await this.#pause.wait(this.#paused ? pausedMs : openMs);
    }
  }

  #close({ reason, error }: RouteFailed): void {
    this.#reason = `${reason}: ${error}`;
    if (!this.#paused) this.#log.warn({ route: this.#id, reason: this.#reason }, 'route paused');
    this.#paused = true;
    this.#change = 'pause';
    this.#pause.wake();
  }

  async #synchronise(): Promise<void> {
    const change = this.#change;
    if (change) await this.#write(change);
    // A change that came meanwhile is newer than what would be read.
    if (this.#change !== change) return this.#synchronise();
    this.#change = null;
    const state = await this.#connection.use((client) => readRoute(client, this.#id));
    if (this.#change === null) await this.#apply(state);
  }

  #write(change: 'pause' | 'resume'): Promise<void> {
    return this.#connection.use((client) =>
      change === 'resume'
        ? resumeRoute(client, this.#id)
        : pauseRoute(client, this.#id, this.#reason ?? '', this.#delays()[0] ?? 5),
    );
  }

  async #apply({ paused, reason }: RouteState): Promise<void> {
    const wasPaused = this.#paused;
    this.#paused = paused;
    if (!paused) {
      if (wasPaused) this.#events.onAdmitted();
      return;
    }
    this.#reason = reason;
    // An unused probe would delay all email until the next one.
    if (this.#probe !== 'none' || !this.#events.hasMessage()) return;
    const taken = await this.#connection.use((client) => takeProbe(client, this.#id, this.#delays()));
    if (!taken || !this.#paused) return;
    this.#probe = 'granted';
    this.#events.onAdmitted();
  }

  #delays(): number[] {
    return this.#reason?.startsWith('auth:') ? this.#options.authProbeSeconds : this.#options.probeSeconds;
  }
}
