import type { Logger } from 'pino';
import { FairQueue, type Owners, type Turn, turnKey } from '../../base/kernel/index.ts';
import { Counts, RecentMap, storable } from '../../base/lib/index.ts';
import type { ClaimedEmail } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import { unsendable } from '../ledger/unsendable.rules.ts';
import { inBatch } from './batch-trace.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { HeldBatch } from './held-batch.ts';
import type { Composed, ComposedMessage } from './message-factory.ts';
import { composingSetbacks } from './metrics.ts';
import { rankOf } from './rank.ts';
import { Setbacks } from './setbacks.ts';

/** Emails and bytes that are composed by one call, and emails of a content whose size is not known yet. */
const emailsAtOnce = 32;
const bytesAtOnce = 8 * 1_048_576;
const firstEmails = 4;
/**
 * Calls at the same time: altogether (transactional emails have a content each, and so a call each), of one owner, and of those together
 * whose templates take long.
 */
const callsAtOnce: Record<Kind, { all: number; ofTurn: number; slow: number }> = {
  direct: { all: 32, ofTurn: 8, slow: 24 },
  bulk: { all: 4, ofTurn: 4, slow: 3 },
};
/** Contents whose size is known. */
const rememberedContents = 2_000;

/** Turns claimed emails into messages. */
export interface Composer {
  /** Does ahead what the first message would wait for. */
  prepare?(): Promise<void>;
  /** The messages in the order of the emails, or why one cannot be composed. Rejects when the database is unavailable. */
  compose(emails: readonly ClaimedEmail[]): Promise<Composed[]>;
  /** whether templates of the project's owner took long within the last minute */
  isSlow?(projectId: string): boolean;
}

export interface ComposingEvents {
  /** how many messages of this kind are wanted */
  room(kind: Kind): number;
  onComposed(batch: HeldBatch, email: ClaimedEmail, message: ComposedMessage): void;
  onFailed(batch: HeldBatch, email: ClaimedEmail, error: string): void;
  /** for a reason that does not lie in the email: it is to be tried again after a pause */
  onSetback(batch: HeldBatch, email: ClaimedEmail, pauseMs: number): void;
  /** nothing of this kind is left to compose */
  onIdle(kind: Kind): void;
}

/** The emails of a batch that are not composed yet. */
interface Run {
  batch: HeldBatch;
  emails: ClaimedEmail[];
  next: number;
}

/** Whose turn a call is. */
interface Call {
  key: string;
  isSlow: boolean;
}

/** Composes held emails a little ahead of the connections, in the order of turns, emails of one content together. */
export class Composing {
  readonly setbacks = new Setbacks();
  readonly #composer: Composer;
  readonly #watch: DatabaseWatch;
  readonly #events: ComposingEvents;
  readonly #log: Logger;
  readonly #queues: Record<Kind, FairQueue<Run>>;
  readonly #bytes = new RecentMap<string, number>(rememberedContents);
  readonly #running: Record<Kind, { calls: number; emails: number; slow: number }> = {
    direct: { calls: 0, emails: 0, slow: 0 },
    bulk: { calls: 0, emails: 0, slow: 0 },
  };
  readonly #runningOf: Record<Kind, Counts> = { direct: new Counts(), bulk: new Counts() };

  constructor(
    owners: Owners,
    composer: Composer,
    watch: DatabaseWatch,
    events: ComposingEvents,
    log: Logger,
  ) {
    this.#queues = { direct: new FairQueue(owners), bulk: new FairQueue(owners) };
    this.#composer = composer;
    this.#watch = watch;
    this.#events = events;
    this.#log = log;
  }

  async prepare(): Promise<void> {
    await this.#composer.prepare?.();
  }

  add(batch: HeldBatch, emails: ClaimedEmail[]): void {
    const [first] = emails;
    if (!first) return;
    this.#queues[batch.kind].add(batch.projectId, { batch, emails, next: 0 }, rankOf(first));
    this.fill(batch.kind);
  }

  /** To be called when there is room again. */
  fill(kind: Kind): void {
    const running = this.#running[kind];
    const most = callsAtOnce[kind];
    while (running.calls < most.all) {
      const room = Math.min(emailsAtOnce, this.#events.room(kind) - running.emails);
      // A call for a few emails of a campaign costs as much as one for many. With less room, each connection has its next message.
      if (room <= 0 || (kind === 'bulk' && room < emailsAtOnce / 2)) return;
      let isHeldBack = false;
      let call: Call | undefined;
      const run = this.#queues[kind].take(({ batch, emails, next }, turn) => {
        if (batch.lost || batch.stopped || next === emails.length) return 'drop';
        call = this.#callOf(kind, batch, turn);
        if (call) return 'use';
        isHeldBack = true;
        return 'pass';
      });
      if (!run || !call) {
        if (!isHeldBack) this.#events.onIdle(kind);
        return;
      }
      const { isSlow } = call;
      const emails = nextOf(run, (contentId) =>
        Math.min(room, isSlow ? firstEmails : emailsAtOnce, this.#emailsAtOnce(contentId)),
      );
      if (emails.length === 0) continue;
      const end = this.#begin(kind, call, emails.length);
      void this.#compose(run.batch, emails).finally(() => {
        end();
        this.fill(kind);
      });
    }
  }

  /** @returns undefined while the owner has as many calls as it may have */
  #callOf(kind: Kind, { projectId }: HeldBatch, turn: Turn): Call | undefined {
    const key = turnKey(turn);
    const most = callsAtOnce[kind];
    const isSlow = this.#composer.isSlow?.(projectId) ?? false;
    const isFull = this.#runningOf[kind].get(key) >= most.ofTurn;
    return isFull || (isSlow && this.#running[kind].slow >= most.slow) ? undefined : { key, isSlow };
  }

  /** @returns what ends the call */
  #begin(kind: Kind, { key, isSlow }: Call, emails: number): () => void {
    const running = this.#running[kind];
    const ofTurn = this.#runningOf[kind];
    const count = (sign: 1 | -1): void => {
      running.calls += sign;
      running.emails += sign * emails;
      if (isSlow) running.slow += sign;
      ofTurn.add(key, sign);
    };
    count(1);
    return () => count(-1);
  }

  #emailsAtOnce(contentId: string): number {
    const bytes = this.#bytes.get(contentId);
    return bytes === undefined
      ? firstEmails
      : Math.max(1, Math.min(emailsAtOnce, Math.floor(bytesAtOnce / bytes)));
  }

  /** Messages of one content have about the same size. */
  #remember([email]: readonly ClaimedEmail[], messages: readonly Composed[]): void {
    const message = messages.find((each) => 'mime' in each);
    if (email && message) this.#bytes.set(email.contentId, message.mime.length);
  }

  async #compose(batch: HeldBatch, emails: ClaimedEmail[]): Promise<void> {
    try {
      const messages = await this.#watch.untilAvailable(() =>
        inBatch(batch, emails.length, () => this.#composer.compose(emails)),
      );
      for (const [index, email] of emails.entries()) {
        const message = messages[index];
        if (!message) throw new Error('a message is missing');
        if ('setback' in message) this.#giveBack(batch, email, message.setback);
        else if ('refusal' in message) this.#events.onFailed(batch, email, message.refusal);
        else if ('error' in message) this.#events.onFailed(batch, email, unusable(message.error));
        else this.#events.onComposed(batch, email, message);
      }
      this.#remember(emails, messages);
      const done = emails.find((_, index) => !('setback' in (messages[index] ?? {})));
      if (done) this.setbacks.succeeded(done.contentId);
    } catch (error) {
      for (const email of emails) if (batch.isWaiting(email.n)) this.#giveBack(batch, email, error);
    }
  }

  #giveBack(batch: HeldBatch, email: ClaimedEmail, cause: unknown): void {
    const { contentId } = email;
    const { pauseMs, isNew } = this.setbacks.failed(contentId);
    if (isNew) {
      composingSetbacks.inc();
      this.#log.error(
        { err: cause, contentId, projectId: batch.projectId, pauseMs: Math.round(pauseMs) },
        'email could not be composed, for a reason outside of it; it is tried again after a pause',
      );
    }
    this.#events.onSetback(batch, email, pauseMs);
  }
}

/** The message for the customer; what is thrown may hold anything. */
const unusable = (text: string): string => storable(`${unsendable.notCreated}${text}`);

/** The next emails of a run that share a content; those that were answered in the meantime are left out. */
function nextOf(run: Run, mostOf: (contentId: string) => number): ClaimedEmail[] {
  const chosen: ClaimedEmail[] = [];
  let most = 1;
  for (; run.next < run.emails.length && chosen.length < most; run.next += 1) {
    const email = run.emails[run.next];
    if (!email || !run.batch.isWaiting(email.n)) continue;
    const [first] = chosen;
    if (!first) most = mostOf(email.contentId);
    else if (first.contentId !== email.contentId || first.tracked !== email.tracked) break;
    chosen.push(email);
  }
  return chosen;
}
