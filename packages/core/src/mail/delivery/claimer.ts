import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { newId } from '../../base/lib/ids.ts';
import { Pause } from '../../base/lib/pause.ts';
import { claimBatches, releaseUnread } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import { traceClaim } from './batch-trace.ts';
import { bisect } from './bisect.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { HeldBatch } from './held-batch.ts';
import type { LedgerConnection } from './ledger-connection.ts';
import type { Outbox } from './outbox.ts';
import { type RoutedBatch, readClaimed } from './read-claimed.ts';
import type { Room } from './room.ts';

export interface ClaimerEvents {
  /** what may be claimed now */
  room(kind: Kind): Room;
  /** the tokens of all batches that this process holds */
  tokens(): string[];
  /** a batch was claimed: its lease must be kept from now on */
  onClaimed(batch: HeldBatch): void;
  onRead(batch: HeldBatch, read: RoutedBatch): void;
  /** the emails of this batch cannot be read */
  onUnreadable(batch: HeldBatch, error: unknown): void;
  onLost(batch: HeldBatch): void;
  /** a claim has ended, and what is due has changed */
  onRound(): void;
}

export interface ClaimerOptions {
  /** identifies this claimer for as long as it lives */
  worker: string;
  leaseMs: number;
  sendRate: number;
  /** the route of what it claims, and whether that is the local mailbox */
  routeId: string;
  takesLocal: boolean;
}

const idleMs = 1_000;
/** Time to the next claim after one that failed, without the database and with it. */
const awayMs = 200;
const failedMs = 2_000;

/**
 * Claims due batches of one kind for as long as there is room. Two statements: the claim commits, then what decides about each
 * email is read. So a change that was committed before the read is seen, and one that is committed later sees the held batch.
 */
export class Claimer {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #outbox: Outbox;
  readonly #events: ClaimerEvents;
  readonly #options: ClaimerOptions;
  readonly #log: Logger;
  readonly #pause = new Pause();
  #turnAt = performance.now();
  #stopping = false;
  #hasUnknownClaim = false;

  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    outbox: Outbox,
    events: ClaimerEvents,
    options: ClaimerOptions,
    log: Logger,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#outbox = outbox;
    this.#events = events;
    this.#options = options;
    this.#log = log;
  }

  /** When the loop last began a turn, by the monotonic clock. Idle, it takes one per second. */
  get turnAt(): number {
    return this.#turnAt;
  }

  /** There may be more to claim, or more room. */
  wake(): void {
    this.#pause.wake();
  }

  stop(): void {
    this.#stopping = true;
    this.wake();
  }

  /** Connects, and has the statements planned. */
  async prepare(): Promise<void> {
    const { worker, leaseMs, sendRate, routeId } = this.#options;
    const { kind } = this.#outbox;
    const nothing = { projects: [], kind, token: newId(), worker, leaseMs, defaultRate: sendRate };
    await this.#connection.use(async (client) => {
      await claimBatches(client, nothing);
      await readClaimed(client, [], routeId);
    });
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      this.#turnAt = performance.now();
      const room = this.#events.room(this.#outbox.kind);
      const taken = room.emails > 0 ? this.#outbox.take(room) : [];
      if (taken.length === 0) {
        await this.#pause.wait(Math.min(idleMs, this.#outbox.nextInMs ?? idleMs));
        continue;
      }
      await this.#claim(taken);
      this.#events.onRound();
    }
  }

  async #claim(projects: { projectId: string; maxEmails: number }[]): Promise<void> {
    const { worker, leaseMs, sendRate } = this.#options;
    const { kind } = this.#outbox;
    try {
      if (this.#hasUnknownClaim) await this.#releaseUnknown();
      const askedAt = performance.now();
      // Not repeated with this token: whether a claim without an answer was committed is unknown.
      const claim = await this.#watch.once(() =>
        this.#connection.use((client) =>
          claimBatches(client, { projects, kind, token: newId(), worker, leaseMs, defaultRate: sendRate }),
        ),
      );
      const batches = claim.batches.map((claimed) => new HeldBatch(claimed, kind, askedAt, leaseMs));
      const counts = new Map<string, number>();
      for (const batch of batches) {
        counts.set(batch.projectId, (counts.get(batch.projectId) ?? 0) + batch.size);
        this.#events.onClaimed(batch);
      }
      this.#outbox.claimed(claim.projects, counts);
      await this.#read(batches, askedAt);
    } catch (error) {
      this.#hasUnknownClaim = true;
      this.#outbox.returned(projects);
      if (this.#stopping) return;
      if (!this.#watch.away) this.#log.error({ err: error }, 'email could not be claimed');
      await delay(this.#watch.away ? awayMs : failedMs);
    }
  }

  /** Releases every batch of which nothing has begun or is answered, once this claimer has stopped. */
  async releaseUntouched(): Promise<void> {
    await this.#watch.untilAnswered(() =>
      this.#connection.use((client) => releaseUnread(client, this.#options.worker, [])),
    );
  }

  /** Releases what an earlier claim took without this process learning of it. */
  async #releaseUnknown(): Promise<void> {
    await this.#connection.use((client) =>
      releaseUnread(client, this.#options.worker, this.#events.tokens()),
    );
    this.#hasUnknownClaim = false;
  }

  async #read(batches: HeldBatch[], askedAt: number): Promise<void> {
    if (batches.length === 0) return;
    const { routeId, takesLocal } = this.#options;
    const found = new Map<string, RoutedBatch>();
    const parts = await bisect(
      batches,
      (part) =>
        this.#watch.untilAnswered(() =>
          this.#connection.use((client) => readClaimed(client, part, routeId, takesLocal)),
        ),
      async (culprit, error): Promise<RoutedBatch[]> => {
        this.#events.onUnreadable(culprit, error);
        return [];
      },
    );
    for (const row of parts.flat()) found.set(row.id, row);
    traceClaim(this.#outbox.kind, batches.length, parts.flat(), askedAt);
    for (const batch of batches) {
      const row = found.get(batch.id);
      if (row) this.#events.onRead(batch, row);
      else if (batch.backlog > 0) this.#events.onLost(batch);
    }
  }
}
