import type { Logger } from 'pino';
import { type PauseScope, rowOf, stageFacts } from '../../base/kernel/mail-replies.rules.ts';
import type { HandOver, MailTransport, RouteFailed } from '../../base/kernel/ports/mail-transport.ts';
import { Pause } from '../../base/lib/pause.ts';
import {
  noteAccepted,
  noteEightBit,
  pauseRoute,
  pauseSender,
  putOffSender,
  type RouteState,
  readRoute,
  resumeRoute,
  resumeSender,
  type SenderProbe,
  takeProbe,
  takeSenderProbes,
} from '../ledger/index.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** How often the state of the route is read: while it works, and while it is paused. */
const openMs = 1_000;
const pausedMs = 250;
/** A process without a connection stands aside while another one has handed over a message within this time: it may keep a connection. */
const othersWithinMs = 20_000;
/** How often a process that hands over messages says so. */
const acceptedEveryMs = 1_000;
/** After this time of waiting, whoever operates the service is told, once a day. */
const tellAfterMs = 600_000;
const tellAgainMs = 86_400_000;
/** So many refusals in a row pause a sender domain. */
const mostRefusals = 3;

/** The sender of a message, as far as it may be paused: its domain, or the platform's own. */
export const senderOf = (domainId: string | null): string => domainId ?? 'platform';

export interface RouteEvents {
  /** messages may go out again */
  onAdmitted(): void;
  /** this process finds no connection, but others do: what it holds is to be given back to them */
  onAside(): void;
  /** what is held of this sender domain is to be given back */
  onSenderPaused(sender: string): void;
}

export interface RouteParts {
  connection: LedgerConnection;
  watch: DatabaseWatch;
  transport: Pick<MailTransport, 'probe' | 'resume' | 'eightBit'>;
  /** identifies this process for as long as it lives */
  worker: string;
  log: Logger;
  stopped: AbortSignal;
}

/** Whether the server was asked for more than the sender, and so has accepted it. */
function isPastSender(result: HandOver): boolean {
  switch (result.kind) {
    case 'accepted':
    case 'unknown':
      return true;
    case 'refused':
    case 'interrupted':
      return !stageFacts[result.stage].judgesSender;
    case 'route':
    case 'withheld':
      return false;
  }
}

/** What this process does about the route: hand over messages, wait with all others, or leave it to others that have connections. */
type Standing = 'open' | 'paused' | 'aside';

/**
 * Holds email back while the mail server is unusable, as a whole or for a sender domain (`mail-replies.rules.ts`), and finds out by
 * sessions without a message when it works again.
 */
export class RouteGuard {
  readonly #id: string;
  readonly #parts: RouteParts;
  readonly #options: Pick<DeliveryOptions, 'probeSeconds' | 'authProbeSeconds'>;
  readonly #events: RouteEvents;
  readonly #pause = new Pause();
  #standing: Standing = 'open';
  #reason: string | null = null;
  /** the change that is to be written, after which the state is read again */
  #change: 'pause' | 'resume' | null = null;
  #isProbing = false;
  #hasAccepted = false;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** while it stands aside: failed probes, and when the next one is due by the monotonic clock */
  #aside = { failures: 0, nextAt: 0 };
  #toldAt = Number.NEGATIVE_INFINITY;
  /** what is stored about the server */
  #eightBit: boolean | null = null;
  /** paused sender domains, with the time of the monotonic clock at which their email is looked at again */
  #senders = new Map<string, number>();
  /** senders whose pause is to be written */
  readonly #newPauses = new Map<string, { from: string; reason: string }>();
  readonly #refusals = new Map<string, number>();

  constructor(
    id: string,
    parts: RouteParts,
    options: Pick<DeliveryOptions, 'probeSeconds' | 'authProbeSeconds'>,
    events: RouteEvents,
  ) {
    this.#id = id;
    this.#parts = parts;
    this.#options = options;
    this.#events = events;
    parts.stopped.addEventListener('abort', () => this.#pause.wake());
  }

  get paused(): boolean {
    return this.#standing !== 'open';
  }

  /** Whether the server takes 8-bit messages: as it told this process, else as it told another one. */
  get eightBit(): boolean {
    return this.#parts.transport.eightBit ?? this.#eightBit ?? true;
  }

  /** Whether a message may go out now. */
  admits(): boolean {
    return this.#standing === 'open';
  }

  /** When email of a paused sender is looked at again, in milliseconds; null for one that is not paused. */
  senderWaitMs(sender: string): number | null {
    const until = this.#senders.get(sender);
    return until === undefined ? null : Math.max(0, until - performance.now());
  }

  /** Learns from the result of an attempt. @returns whether its email waits, because the result does not concern it */
  ended(result: HandOver, sender: string, from: string): boolean {
    if (result.kind === 'accepted') this.#noteAccepted();
    if (this.#standing === 'paused' && (result.kind === 'accepted' || result.kind === 'refused'))
      this.#reopen();
    if (isPastSender(result)) this.#refusals.delete(sender);
    switch (this.#scopeOf(result, sender)) {
      case 'route':
        if (result.kind === 'route' && !result.othersWork) this.#close(result);
        return true;
      case 'sender':
        if (result.kind === 'refused') this.#pauseSender(sender, from, result.response);
        return true;
      case 'email':
        return false;
    }
  }

  /** Reads and writes the shared state of the route until the process stops. */
  async run(): Promise<void> {
    const { watch, stopped, log } = this.#parts;
    while (!stopped.aborted) {
      try {
        await watch.untilAnswered(() => this.#synchronise());
      } catch (error) {
        if (!stopped.aborted) log.error({ err: error }, 'the state of the route is unknown');
      }
      await this.#pause.wait(this.paused ? pausedMs : openMs);
    }
  }

  /** The first one is written at once: another process may be about to find no connection. */
  #noteAccepted(): void {
    this.#hasAccepted = true;
    if (performance.now() - this.#notedAt > acceptedEveryMs) this.#pause.wake();
  }

  #close({ reason, error }: RouteFailed): void {
    this.#reason = `${reason}: ${error}`;
    if (this.#standing === 'open')
      this.#parts.log.warn({ route: this.#id, reason: this.#reason }, 'route paused');
    this.#standing = 'paused';
    this.#change = 'pause';
    this.#pause.wake();
  }

  #reopen(): void {
    this.#standing = 'open';
    this.#change = 'resume';
    this.#pause.wake();
    this.#admit();
  }

  #admit(): void {
    this.#parts.log.info({ route: this.#id }, 'route works again');
    this.#parts.transport.resume();
    this.#events.onAdmitted();
  }

  /** What the result concerns, by the table; a refusal by the transport itself says nothing about the server. */
  #scopeOf(result: HandOver, sender: string): PauseScope {
    const row = rowOf(result);
    if (row === null || (result.kind === 'refused' && result.isOwn)) return 'email';
    return row.effect === 'fail or pause' && this.#isRefusedAgain(sender) ? 'sender' : row.concerns;
  }

  #isRefusedAgain(sender: string): boolean {
    const count = (this.#refusals.get(sender) ?? 0) + 1;
    this.#refusals.set(sender, count);
    return count >= mostRefusals || this.#senders.has(sender);
  }

  #pauseSender(sender: string, from: string, reason: string): void {
    if (this.#senders.has(sender)) return;
    this.#parts.log.warn({ route: this.#id, sender, reason }, 'a sender domain is paused on the route');
    this.#senders.set(sender, performance.now() + this.#firstDelay() * 1_000);
    this.#newPauses.set(sender, { from, reason });
    this.#pause.wake();
    this.#events.onSenderPaused(sender);
  }

  async #synchronise(): Promise<void> {
    const change = this.#change;
    if (change) await this.#write(change);
    // A change that came meanwhile is newer than what would be read.
    if (this.#change !== change) return this.#synchronise();
    this.#change = null;
    if (this.#hasAccepted) {
      this.#hasAccepted = false;
      this.#notedAt = performance.now();
      await this.#use((client) => noteAccepted(client, this.#id, this.#parts.worker));
    }
    const { eightBit } = this.#parts.transport;
    if (eightBit !== null && eightBit !== this.#eightBit)
      await this.#use((client) => noteEightBit(client, this.#id, eightBit));
    for (const [sender, { from, reason }] of this.#newPauses) {
      await this.#use(async (client) => {
        await pauseSender(client, this.#id, { sender, from, reason, firstProbeSeconds: this.#firstDelay() });
        await putOffSender(client, this.#id, sender);
      });
      this.#newPauses.delete(sender);
    }
    const state = await this.#use((client) => readRoute(client, this.#id, this.#parts.worker));
    this.#eightBit = state.eightBit;
    if (this.#change === null) await this.#apply(state);
  }

  async #write(change: 'pause' | 'resume'): Promise<void> {
    if (change === 'resume') return this.#use((client) => resumeRoute(client, this.#id));
    const isPaused = await this.#use((client) =>
      pauseRoute(client, this.#id, this.#reason ?? '', {
        delaysSeconds: this.#delays(),
        worker: this.#parts.worker,
        othersWithinMs: this.#isRefusedLogin ? 0 : othersWithinMs,
      }),
    );
    if (isPaused || this.#change !== change) return;
    this.#parts.log.info(
      { route: this.#id },
      'the mail server allows this process no connection; others go on',
    );
    this.#standing = 'aside';
    this.#aside = { failures: 0, nextAt: performance.now() + this.#firstDelay() * 1_000 };
    this.#events.onAside();
  }

  async #apply(state: RouteState): Promise<void> {
    this.#applySenders(state);
    if (this.#standing === 'aside' && !state.paused) return this.#lookFromAside(state);
    const wasPaused = this.paused;
    this.#standing = state.paused ? 'paused' : 'open';
    if (!state.paused) {
      if (wasPaused) this.#admit();
      if (state.senders.length > 0) await this.#probeSenders();
      return;
    }
    this.#reason = state.reason;
    this.#tell(state);
    if (this.#isProbing) return;
    if (await this.#use((client) => takeProbe(client, this.#id, this.#delays()))) void this.#probe();
  }

  /** When the others have stopped, or it is time to try, this process looks for a connection of its own. */
  #lookFromAside({ othersAcceptedMs }: RouteState): void {
    const othersWork = othersAcceptedMs !== null && othersAcceptedMs < othersWithinMs;
    if (this.#isProbing || (othersWork && performance.now() < this.#aside.nextAt)) return;
    void this.#probe();
  }

  /** Finds out without a message whether the server works. */
  async #probe(): Promise<void> {
    this.#isProbing = true;
    const result = await this.#parts.transport.probe(null);
    this.#isProbing = false;
    if (this.#parts.stopped.aborted || !this.paused) return;
    if (result.kind === 'accepted') {
      if (this.#standing === 'paused') this.#reopen();
      else {
        this.#standing = 'open';
        this.#admit();
      }
    } else if (result.kind === 'route') {
      if (this.#standing === 'paused') this.#close(result);
      else this.#failAside(result);
    }
  }

  /** Aside, a failure is one of the route only when no other process works any more, which the statement decides. */
  #failAside(result: RouteFailed): void {
    const delays = this.#options.probeSeconds;
    this.#aside.failures += 1;
    const delay = delays[Math.min(this.#aside.failures, delays.length - 1)] ?? 60;
    this.#aside.nextAt = performance.now() + delay * 1_000;
    const { failures, nextAt } = this.#aside;
    this.#close(result);
    this.#aside = { failures, nextAt };
  }

  #applySenders({ senders }: RouteState): void {
    const now = performance.now();
    const paused = new Map(senders.map(({ sender, waitMs }) => [sender, now + waitMs]));
    for (const sender of this.#newPauses.keys()) paused.set(sender, this.#senders.get(sender) ?? now);
    for (const sender of this.#senders.keys()) if (!paused.has(sender)) this.#refusals.delete(sender);
    for (const sender of paused.keys()) if (!this.#senders.has(sender)) this.#events.onSenderPaused(sender);
    this.#senders = paused;
  }

  async #probeSenders(): Promise<void> {
    const due = await this.#use((client) => takeSenderProbes(client, this.#id, this.#options.probeSeconds));
    for (const probe of due) void this.#probeSender(probe);
  }

  async #probeSender({ sender, from, isRemoved }: SenderProbe): Promise<void> {
    const { watch, log, stopped } = this.#parts;
    try {
      const works = isRemoved || (await this.#parts.transport.probe(from)).kind === 'accepted';
      await watch.untilAnswered(() =>
        this.#use((client) =>
          works ? resumeSender(client, this.#id, sender) : putOffSender(client, this.#id, sender),
        ),
      );
      if (!works) return;
      log.info({ route: this.#id, sender }, 'a sender domain works again on the route');
      this.#pause.wake();
    } catch (error) {
      if (!stopped.aborted) log.error({ err: error, sender }, 'the probe of a sender domain has failed');
    }
  }

  #tell({ pausedForMs, reason }: RouteState): void {
    const isUrgent = this.#isRefusedLogin;
    if (!isUrgent && (pausedForMs ?? 0) < tellAfterMs) return;
    if (performance.now() - this.#toldAt < tellAgainMs) return;
    this.#toldAt = performance.now();
    this.#parts.log.error(
      { route: this.#id, reason, seconds: Math.round((pausedForMs ?? 0) / 1_000) },
      isUrgent
        ? 'the mail server refuses the login: email waits until it is mended'
        : 'email has been waiting for the mail server for 10 minutes',
    );
  }

  get #isRefusedLogin(): boolean {
    return this.#reason?.startsWith('auth:') ?? false;
  }

  #firstDelay(): number {
    return this.#options.probeSeconds[0] ?? 5;
  }

  #delays(): number[] {
    return this.#isRefusedLogin ? this.#options.authProbeSeconds : this.#options.probeSeconds;
  }

  #use<T>(
    work: Parameters<LedgerConnection['use']>[0] extends (client: infer C) => unknown
      ? (client: C) => Promise<T>
      : never,
  ): Promise<T> {
    return this.#parts.connection.use(work);
  }
}
