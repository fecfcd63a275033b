import { databaseIsAway } from '../../db/index.ts';
import { newId } from '../../kernel/ids.ts';
import type { HandOver, OutgoingMessage } from '../../kernel/ports/mail-transport.ts';
import { classifyHardBounce } from '../hard-bounce.rules.ts';
import { type ClaimedEmail, claim, ensureBucket, nextDue } from '../ledger/claim.store.ts';
import { ownSendRate, setListening } from '../ledger/outbox.store.ts';
import { type Reaped, reapExpiredLeases } from '../ledger/reap.store.ts';
import type { Outcome, Settlement } from '../ledger/settle.store.ts';
import { afterTemporaryFailure, skipReason } from '../sending.rules.ts';
import { ClaimLease } from './claim-lease.ts';
import type { DeliveryRuntime } from './delivery-runtime.ts';
import { untilDatabaseAnswers } from './ledger-connection.ts';
import type { ComposedMessage } from './message-factory.ts';

/** Messages composed and signed before a connection is free. */
const ahead = 8;
const claimBounds = { first: 100, min: 40, max: 1_000 };
/** Fallback for lost notifications. */
const pollMs = 1_000;
const listeningMs = 6_000;

export interface LaneRequest {
  projectId: string;
  lane: 'direct' | 'bulk';
  /** ends the lane early: messages past 354 are finished, the rest is given back */
  signal: AbortSignal;
  onProgress?: (done: number) => void;
}

export interface LaneResult {
  /** when the next email of this lane is due; null when nothing waits */
  nextDueAt: Date | null;
  /** emails settled, whatever the outcome */
  settled: number;
  campaignIds: string[];
}

type Result = Partial<Settlement> & { outcome: Outcome };

interface ClaimedMail {
  email: ClaimedEmail;
  lease: ClaimLease;
}

/** Hands over the due email of one project's outbox until none is due or the lane's time is over. */
export async function runLane(runtime: DeliveryRuntime, request: LaneRequest): Promise<LaneResult> {
  return new Lane(runtime, request).run();
}

class Lane {
  readonly #runtime: DeliveryRuntime;
  readonly #request: LaneRequest;
  readonly #rate: { perSecond: number };
  readonly #campaigns = new Set<string>();
  #queue: ClaimedMail[] = [];
  /** between composing and the server's answer: these hold connections */
  #sending = 0;
  /** answered but not settled yet; these hold no connection, so the next message does not wait for them */
  #settling = 0;
  #settled = 0;
  #claimSize = claimBounds.first;
  #resume: () => void = () => undefined;
  /** woken since the last pause; a wake outside of a pause must not get lost */
  #woken = false;
  #pollNow = false;
  #failure: unknown = null;

  constructor(runtime: DeliveryRuntime, request: LaneRequest) {
    this.#runtime = runtime;
    this.#request = request;
    this.#rate = { perSecond: runtime.options.sendRate };
  }

  async run(): Promise<LaneResult> {
    const { projectId, lane, signal } = this.#request;
    const pollNow = (): void => {
      this.#pollNow = true;
      this.#wakeUp();
    };
    if (lane === 'direct') this.#runtime.newMail.on(projectId, pollNow);
    signal.addEventListener('abort', pollNow);
    if (lane === 'bulk') this.#runtime.activeBulkLanes += 1;
    try {
      await this.#start();
      await this.#work();
    } finally {
      if (lane === 'bulk') this.#runtime.activeBulkLanes -= 1;
      this.#runtime.newMail.off(projectId, pollNow);
      signal.removeEventListener('abort', pollNow);
      await this.#finish();
    }
    if (this.#failure) throw this.#failure;
    const nextDueAt = await this.#untilAnswered(() =>
      this.#runtime.claims.use((client) => nextDue(client, projectId, lane)),
    );
    return { nextDueAt, settled: this.#settled, campaignIds: [...this.#campaigns] };
  }

  async #start(): Promise<void> {
    const { projectId } = this.#request;
    const { database } = this.#runtime.services;
    const own = await this.#untilAnswered(() => ownSendRate(database.pool, projectId));
    this.#rate.perSecond = own ?? this.#runtime.options.sendRate;
    await this.#untilAnswered(() =>
      this.#runtime.claims.use((client) => ensureBucket(client, projectId, this.#rate.perSecond)),
    );
  }

  async #work(): Promise<void> {
    const { lane, signal } = this.#request;
    const { options } = this.#runtime;
    const startedAt = performance.now();
    let busyAt = startedAt;
    let reapedAt = Number.NEGATIVE_INFINITY;
    let listeningAt = Number.NEGATIVE_INFINITY;
    let emptyUntil = 0;
    while (!signal.aborted && !this.#failure) {
      const now = performance.now();
      if (now - startedAt > this.#turnMs()) return;
      if (now - reapedAt > options.leaseMs / 4) {
        reapedAt = now;
        await this.#reap();
      }
      if (lane === 'direct' && now - listeningAt > listeningMs / 3) {
        listeningAt = now;
        await this.#listen(true);
      }
      this.#pump();
      if (this.#pollNow) {
        this.#pollNow = false;
        emptyUntil = 0;
      }
      if (now >= emptyUntil && this.#queue.length + this.#sending <= this.#claimSize / 2) {
        const { claimed, waitMs, waiting } = await this.#claim();
        if (claimed > 0) {
          busyAt = performance.now();
          continue;
        }
        emptyUntil = performance.now() + waitMs;
        if (waiting) busyAt = performance.now();
      }
      const busy = this.#queue.length + this.#sending + this.#settling > 0;
      if (busy) busyAt = performance.now();
      if (
        !busy &&
        performance.now() - busyAt > (lane === 'direct' ? options.lingerMs : 0) &&
        emptyUntil > 0
      ) {
        if (!this.#pollNow) return;
        continue;
      }
      await this.#pause(
        Math.max(1, Math.min(pollMs, emptyUntil > 0 ? emptyUntil - performance.now() : pollMs)),
      );
    }
  }

  /** A campaign yields after a short time, but only when every lane is taken and others may be waiting. */
  #turnMs(): number {
    const { options, activeBulkLanes } = this.#runtime;
    const others = this.#request.lane === 'bulk' && activeBulkLanes >= options.bulkLanes;
    return others ? options.bulkTurnMs : options.longestTurnMs;
  }

  /** Stops claiming, gives back deliveries that have not begun, and waits for those in flight. */
  async #finish(): Promise<void> {
    const unbegun = this.#queue;
    this.#queue = [];
    const givenBack = await Promise.allSettled(
      unbegun.map((held) => this.#settle(held, { outcome: 'giveback' })),
    );
    for (const result of givenBack) if (result.status === 'rejected') this.#failure ??= result.reason;
    while (this.#sending + this.#settling > 0) await this.#pause(pollMs);
    if (this.#request.lane === 'direct') await this.#listen(false);
  }

  /**
   * The number of claimed rows, and the time to wait before the next claim when there were none. `waiting`: email is
   * due, but held up by the route or the sending rate.
   */
  async #claim(): Promise<{ claimed: number; waitMs: number; waiting: boolean }> {
    const { projectId, lane } = this.#request;
    const { options, worker } = this.#runtime;
    const route = await this.#untilAnswered(() => this.#runtime.route.condition());
    if (route.kind !== 'open') {
      const more = await this.#waitForMore();
      if (!more.waiting) return { claimed: 0, ...more };
      if (route.kind === 'closed') return { claimed: 0, waitMs: route.retryInMs, waiting: true };
      if (this.#sending + this.#settling > 0) return { claimed: 0, waitMs: 200, waiting: true };
      const taken = await this.#untilAnswered(() => this.#runtime.route.takeProbe());
      if (!taken) return { claimed: 0, waitMs: 200, waiting: true };
    }
    const token = newId();
    const askedAt = performance.now();
    const limit = route.kind === 'probe' ? 1 : this.#claimSize;
    const rows = await this.#untilAnswered(() =>
      this.#runtime.claims.use((client) =>
        claim(client, {
          projectId,
          lane,
          token,
          worker,
          limit,
          leaseMs: options.leaseMs,
          rate: this.#rate.perSecond,
        }),
      ),
    );
    if (rows.length === 0) return { claimed: 0, ...(await this.#waitForMore()) };
    const lease = new ClaimLease({
      token,
      connection: this.#runtime.leases,
      leaseMs: options.leaseMs,
      askedAt,
      onDone: () => this.#measure(rows.length, performance.now() - askedAt),
    });
    lease.add(rows.length);
    for (const email of rows) {
      if (email.campaignId) this.#campaigns.add(email.campaignId);
      this.#queue.push({ email, lease });
    }
    this.#pump();
    return { claimed: rows.length, waitMs: 0, waiting: false };
  }

  /** An empty claim means that nothing is due, or that the project has reached its rate. */
  async #waitForMore(): Promise<{ waitMs: number; waiting: boolean }> {
    const { projectId, lane } = this.#request;
    const due = await this.#untilAnswered(() =>
      this.#runtime.claims.use((client) => nextDue(client, projectId, lane)),
    );
    const inMs = due ? due.getTime() - Date.now() : pollMs;
    if (inMs <= 0)
      return { waitMs: Math.max(20, Math.min(200, 1_000 / this.#rate.perSecond)), waiting: true };
    return { waitMs: Math.min(pollMs, Math.max(5, inMs)), waiting: false };
  }

  /** A claim has at most as many rows as the connections can begin within about a second. */
  #measure(rows: number, tookMs: number): void {
    const perSecond = (rows / Math.max(tookMs, 1)) * 1_000;
    this.#claimSize = Math.round(Math.min(claimBounds.max, Math.max(claimBounds.min, perSecond)));
  }

  #pump(): void {
    const most = this.#runtime.transport.connections + ahead;
    while (this.#sending < most && this.#queue.length > 0) {
      const held = this.#queue.shift();
      if (!held) return;
      this.#sending += 1;
      this.#deliver(held)
        .finally(() => {
          this.#sending -= 1;
          this.#settling += 1;
          if (!this.#request.signal.aborted && !this.#failure) this.#pump();
        })
        .then((result) => (result ? this.#settle(held, result) : held.lease.finish()))
        .catch((error: unknown) => {
          this.#failure ??= error;
        })
        .finally(() => {
          this.#settling -= 1;
          this.#wakeUp();
        });
    }
  }

  /** The result to settle; null when another worker holds the row by now. */
  async #deliver({ email, lease }: ClaimedMail): Promise<Result | null> {
    const reason = skipReason({
      ...email,
      // A contact that was erased during the freeze of its campaign leaves its id in the email.
      contactId: email.contactEmail === null ? null : email.contactId,
      toContact: email.contactEmail === null || email.contactEmail === email.to,
    });
    if (reason) return { outcome: 'skipped', reason };
    if (email.domainId !== null && !email.domainExists) {
      return { outcome: 'failed', error: 'sender domain removed' };
    }
    if (!lease.holds) return { outcome: 'giveback' };
    const message = await this.#compose(email);
    if ('error' in message) return { outcome: 'failed', error: message.error };
    const begin: { state: 'not reached' | 'refused' | 'late' | 'granted' } = { state: 'not reached' };
    const handOver = await this.#handOver({
      envelope: message.envelope,
      begin: async () => {
        const granted = await this.#runtime.recorder.record({ id: email.id, token: lease.token });
        begin.state = granted ? (lease.holds ? 'granted' : 'late') : 'refused';
        return begin.state === 'granted' ? message.mime : null;
      },
    });
    if (handOver.kind === 'withheld' && begin.state === 'refused') return null;
    return { ...(await this.#judge(email, handOver)), subject: message.subject };
  }

  #handOver(message: OutgoingMessage): Promise<HandOver> {
    const send = (): Promise<HandOver> => this.#runtime.transport.send(message);
    return this.#request.lane === 'bulk' ? this.#runtime.bulkConnections.run(send) : send();
  }

  /** An error of composing fails only its email, with a reason for the customer; an unavailable database fails none. */
  async #compose(email: ClaimedEmail): Promise<ComposedMessage | { error: string }> {
    try {
      const [message] = await this.#untilAnswered(() => this.#runtime.messages.compose([email]));
      if (message && 'error' in message) throw new Error(message.error);
      if (message) return message;
      throw new Error('it was not composed');
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#runtime.services.log.error({ err: error, emailId: email.id }, 'a message could not be composed');
      return { error: `The message could not be created: ${text}` };
    }
  }

  async #judge(email: ClaimedEmail, handOver: HandOver): Promise<Result> {
    switch (handOver.kind) {
      case 'accepted':
        await this.#untilAnswered(() => this.#runtime.route.worked());
        return { outcome: 'sent' };
      case 'route':
        await this.#untilAnswered(() => this.#runtime.route.failed(handOver));
        return { outcome: 'giveback' };
      case 'withheld':
        return { outcome: 'giveback' };
      case 'unknown':
        return { outcome: 'uncertain', error: handOver.error };
      case 'interrupted':
        return this.#temporary(email, handOver.error);
      case 'refused': {
        await this.#untilAnswered(() => this.#runtime.route.worked());
        if (!handOver.permanent) return this.#temporary(email, handOver.response);
        // Answers to MAIL FROM and DATA concern the sender or the server, whatever their text.
        const aboutRecipient = handOver.stage === 'rcpt' || handOver.stage === 'final';
        const hardBounce =
          aboutRecipient && classifyHardBounce(handOver.code, handOver.enhancedCode, handOver.response);
        return { outcome: 'failed', error: handOver.response, hardBounce };
      }
    }
  }

  #temporary(email: ClaimedEmail, error: string): Result {
    const { retryScale } = this.#runtime.options;
    const decision = afterTemporaryFailure(email.attempts, email.firstAnsweredAt, new Date(), {
      scale: retryScale,
    });
    if (decision.kind === 'give_up') return { outcome: 'failed', error };
    return { outcome: 'retry', error, nextAttemptAt: decision.at };
  }

  async #settle({ email, lease }: ClaimedMail, result: Result): Promise<void> {
    const settlement: Settlement = {
      id: email.id,
      token: lease.token,
      error: null,
      reason: null,
      subject: null,
      providerId: null,
      nextAttemptAt: null,
      hardBounce: false,
      at: new Date(),
      ...result,
    };
    try {
      await this.#runtime.settler.settle(settlement);
    } catch (error) {
      lease.abandon();
      throw error;
    }
    lease.finish();
    if (result.outcome !== 'giveback') {
      this.#settled += 1;
      this.#runtime.services.scheduleFollowUps(email.projectId);
    }
    this.#request.onProgress?.(this.#settled);
  }

  async #reap(): Promise<void> {
    const { projectId } = this.#request;
    const reaped: Reaped = await this.#untilAnswered(() =>
      this.#runtime.claims.use((client) => reapExpiredLeases(client, projectId)),
    );
    if (reaped.givenBack + reaped.uncertain > 0) {
      this.#runtime.services.log.warn(
        { projectId, ...reaped },
        'took over the claims of a worker that went away',
      );
    }
  }

  async #listen(listening: boolean): Promise<void> {
    const { database } = this.#runtime.services;
    try {
      await setListening(database.asyncCommit, this.#request.projectId, listening ? listeningMs : 0);
    } catch (error) {
      if (!databaseIsAway(error)) throw error;
    }
  }

  #untilAnswered<T>(work: () => Promise<T>): Promise<T> {
    return untilDatabaseAnswers(work);
  }

  #wakeUp(): void {
    this.#woken = true;
    this.#resume();
  }

  async #pause(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#woken = false;
  }
}
