import { countReply, sampleSmtpConnections } from '../../base/kernel/metrics.ts';
import type { HandOver, MailTransport } from '../../base/kernel/ports/mail-transport.ts';
import type { Services } from '../../base/kernel/services.ts';
import { simulatorRouteId } from '../../base/kernel/simulator.rules.ts';
import { storable } from '../../base/lib/index.ts';
import type { BatchResult, ClaimedEmail } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import { Attempt, type AttemptEvents } from './attempt.ts';
import { resultOf } from './attempt-result.ts';
import { roomFor } from './capacity.ts';
import { Composing } from './composing.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import type { HeldBatch } from './held-batch.ts';
import type { Holdings } from './holdings.ts';
import type { LedgerConnection } from './ledger-connection.ts';
import { MessageFactory } from './message-factory.ts';
import { Pace } from './pace.ts';
import { ReadyQueue } from './ready-queue.ts';
import type { Room } from './room.ts';
import type { Route } from './route.ts';
import { RouteGuard, senderOf } from './route-guard.ts';
import { SigningKeys } from './signing-keys.ts';

/** Claimers are asked for more after this many messages have been taken. */
const takenPerWake = 32;

/** What a route shares with the other routes of its process. */
export interface RunnerParts {
  services: Services;
  /** the connection of its guard */
  connection: LedgerConnection;
  watch: DatabaseWatch;
  holdings: Holdings;
  /** identifies this process for as long as it lives */
  worker: string;
  stopped: AbortSignal;
}

export interface RunnerEvents {
  /** a transfer is about to begin */
  begin: AttemptEvents['begin'];
  /** an email has its result; `subject` is the rendered one where it differs from that of its content */
  onResult(batch: HeldBatch, email: ClaimedEmail, result: BatchResult, subject: string | null): void;
  /** more email of this kind is wanted */
  onWanted(kind: Kind): void;
  /** what is held of this route is to be given back, of one sender or of all */
  onGiveBack(routeId: string, sender: string | null): void;
}

/**
 * One route in one process: composes the email of the batches that it is given a little ahead of its transport, hands the messages over
 * as connections become free, and says what became of each. It pauses, and finds its pace, without other routes.
 */
export class RouteRunner {
  readonly #id: string;
  /** names the spans of its hand-overs; null of what reaches no server */
  readonly #transfers: 'smtp.transaction' | 'ses.request' | null;
  readonly #transport: MailTransport;
  readonly #holdings: Holdings;
  readonly #retryScale: number;
  readonly #events: RunnerEvents;
  readonly #guard: RouteGuard;
  readonly #ready: ReadyQueue;
  readonly #composing: Composing;
  readonly #pace = new Pace();
  readonly #taken: Record<Kind, number> = { direct: 0, bulk: 0 };
  readonly #attempts: AttemptEvents;
  readonly #forget: () => void;

  constructor(
    { id, provider, transport }: Route,
    { services, connection, watch, holdings, worker, stopped }: RunnerParts,
    options: DeliveryOptions,
    events: RunnerEvents,
  ) {
    const { log, owners } = services;
    this.#id = id;
    this.#transfers =
      id === simulatorRouteId ? null : provider.name === 'ses' ? 'ses.request' : 'smtp.transaction';
    this.#transport = transport;
    this.#forget = sampleSmtpConnections(() => {
      const { connections, allowed, free } = transport;
      const states = { busy: allowed - free, free, refused: connections - allowed };
      return Object.entries(states).map(([state, value]) => ({ labels: { route: id, state }, value }));
    });
    this.#holdings = holdings;
    this.#retryScale = options.retryScale;
    this.#events = events;
    this.#attempts = {
      begin: events.begin,
      connected: ({ batch }, since, failure) =>
        batch.trace?.connected(since, { route: id, outcome: failure?.reason ?? 'open' }),
      ended: (attempt, handOver) => this.#ended(attempt, handOver),
    };
    this.#guard = new RouteGuard(id, { connection, watch, transport, worker, log, stopped }, options, {
      onAdmitted: () => this.#admit(),
      onAside: () => events.onGiveBack(id, null),
      onSenderPaused: (sender) => events.onGiveBack(id, sender),
    });
    this.#ready = new ReadyQueue(owners, transport, this.#guard, (kind) => this.#onTaken(kind));
    this.#composing = new Composing(
      owners,
      new MessageFactory(services, new SigningKeys(services, provider), () => this.#guard.eightBit),
      watch,
      {
        room: (kind) => this.#ready.room(kind),
        onComposed: (batch, email, message) => {
          this.#ready.add(new Attempt(batch, email, message, this.#attempts));
          transport.wake();
        },
        onFailed: (batch, email, error) =>
          events.onResult(batch, email, { outcome: 'unsendable', error }, null),
        onSetback: (batch, email, waitMs) =>
          events.onResult(batch, email, { outcome: 'giveback', waitMs: Math.ceil(waitMs) }, null),
        onIdle: events.onWanted,
      },
      log,
    );
  }

  /** Does ahead what the first message would wait for. */
  prepare(): Promise<void> {
    return this.#composing.prepare();
  }

  /** Hands messages over from now on. */
  serve(): void {
    this.#transport.serve((chained) => this.#ready.next(chained));
  }

  /** Keeps up with the shared state of the route until the process stops. */
  run(): Promise<void> {
    return this.#guard.run();
  }

  /** Hands over nothing more. Resolves when what the transport had taken is finished. */
  close(): Promise<void> {
    this.#ready.close();
    return this.#transport.close().finally(this.#forget);
  }

  /** What may be claimed for it now. */
  room(kind: Kind): Room {
    return roomFor(kind, this.#holdings, this.#transport, this.#guard, this.#pace, this.#composing.setbacks);
  }

  /** When email of a sender domain is looked at again, in milliseconds; null for one that is not paused. */
  senderWaitMs(domainId: string | null): number | null {
    return this.#guard.senderWaitMs(senderOf(domainId));
  }

  /** Has these emails of a batch composed, and handed over. */
  add(batch: HeldBatch, emails: ClaimedEmail[]): void {
    this.#composing.add(batch, emails);
  }

  /** A quarter of a lease is over. @param gaveBack whether email had been held for too long */
  roundEnded(gaveBack: boolean): void {
    this.#pace.roundEnded(gaveBack);
  }

  #ended(attempt: Attempt, handOver: HandOver): void {
    const { batch, email, subject, envelope } = attempt;
    this.#ready.ended(attempt);
    countReply(this.#id, classOf(handOver));
    if (this.#transfers !== null && attempt.begunAt > 0)
      batch.trace?.handedOver(this.#transfers, attempt, { route: this.#id, outcome: classOf(handOver) });
    const waits = this.#guard.ended(handOver, senderOf(email.domainId), envelope.from);
    const history = { attempts: email.attempts, answeredForMs: batch.answeredForMs };
    const isGivenBack = waits || (handOver.kind === 'withheld' && batch.stopped);
    const result = isGivenBack
      ? { outcome: 'giveback' as const }
      : resultOf(handOver, history, { scale: this.#retryScale });
    this.#events.onResult(batch, email, result, subject === null ? null : storable(subject));
  }

  #onTaken(kind: Kind): void {
    this.#pace.taken();
    this.#taken[kind] += 1;
    if (this.#taken[kind] % takenPerWake === 0) this.#events.onWanted(kind);
    this.#composing.fill(kind);
  }

  #admit(): void {
    this.#transport.wake();
    this.#events.onWanted('direct');
    this.#events.onWanted('bulk');
  }
}

/** `2xx`, `4xx`, `5xx`, or what there was in the place of a reply. */
function classOf(handOver: HandOver): string {
  if (handOver.kind === 'accepted') return '2xx';
  return handOver.kind === 'refused' ? `${Math.floor(handOver.code / 100)}xx` : handOver.kind;
}
