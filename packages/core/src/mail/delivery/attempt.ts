import { observeSendDelay } from '../../base/kernel/metrics.ts';
import type { HandOver, OutgoingMessage, RouteFailed } from '../../base/kernel/ports/mail-transport.ts';
import type { ClaimedEmail } from '../ledger/index.ts';
import type { HeldBatch } from './held-batch.ts';
import type { ComposedMessage } from './message-factory.ts';

/** What an attempt reports to: the recorder of beginnings, and the one that judges results. */
export interface AttemptEvents {
  begin(batch: HeldBatch, n: number, granted: (yes: boolean) => void): void;
  /** a connection was opened for it since `since`, or refused */
  connected(attempt: Attempt, since: number, failure: RouteFailed | null): void;
  ended(attempt: Attempt, result: HandOver): void;
}

/** One composed message of a held batch on its way through the transport. */
export class Attempt implements OutgoingMessage {
  readonly batch: HeldBatch;
  readonly email: ClaimedEmail;
  readonly envelope: OutgoingMessage['envelope'];
  readonly data: Buffer;
  readonly subject: string | null;
  /** whose turn it was when the transport took it */
  turn = '';
  /** when its first byte was permitted, by the monotonic clock; 0 before */
  begunAt = 0;
  readonly #events: AttemptEvents;

  constructor(batch: HeldBatch, email: ClaimedEmail, message: ComposedMessage, events: AttemptEvents) {
    this.batch = batch;
    this.email = email;
    this.envelope = message.envelope;
    this.data = message.mime;
    this.subject = message.subject;
    this.#events = events;
  }

  begin(granted: (yes: boolean) => void): void {
    if (this.#isTooLate) setImmediate(granted, false);
    else
      this.#events.begin(this.batch, this.email.n, (yes) => {
        const begins = yes && !this.#isTooLate;
        if (begins) this.begunAt = performance.now();
        granted(begins);
        if (begins) observeSendDelay(this.email.sourceType, this.email.dueAt);
      });
  }

  /** The quiet hours of its contact have begun since its claim: what is not begun is given back, and its next claim holds it. */
  get #isTooLate(): boolean {
    return this.email.beginsBefore !== null && performance.now() >= this.email.beginsBefore;
  }

  get emailId(): string {
    return this.email.id;
  }

  get projectId(): string {
    return this.batch.projectId;
  }

  get isTest(): boolean {
    return this.batch.isTest;
  }

  get attempts(): number {
    return this.email.attempts;
  }

  connected(since: number, failure: RouteFailed | null): void {
    this.#events.connected(this, since, failure);
  }

  ended(result: HandOver): void {
    this.#events.ended(this, result);
  }
}
