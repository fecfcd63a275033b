import { observeGroup } from '../../kernel/metrics.ts';
import { type Owners, turnKey } from '../../kernel/ports/owners.ts';
import { currentSpan, isTracing, type Span, sharedSpan } from '../../kernel/traces.ts';
import { observeTurn } from '../../kernel/turn-wait.ts';
import { Counts } from '../../lib/counts.ts';
import { databaseIsAway } from '../availability.ts';
import { databaseCode, isConflict, retryConflicts, waitedForLock } from '../retry.ts';
import { type Bound, GroupQueue, type Place } from './group-queue.ts';

/** What became of one request of a group. `alone`: nothing was stored, and it must be stored in a statement of its own. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown } | 'alone';

export interface GroupOptions<Request, Answer> {
  /** names it in the metrics and in traces */
  name: string;
  /** whose turns they are, by `Place.owner`; by default each has its own */
  owners?: Owners;
  /** bounds of the requests that wait; those of one turn are half of `total` */
  perOwner: Bound;
  total: Bound;
  /** bound of one group */
  group: Bound;
  /** whether a request is too large to share a statement */
  isLarge?(request: Request): boolean;
  placeOf(request: Request): Place;
  /** One statement for several requests: all outcomes in order, or an error of the whole statement, which then stored nothing. */
  together(requests: readonly Request[]): Promise<readonly Outcome<Answer>[]>;
  /** One request in a statement of its own, which may wait for locks. */
  alone?: ((request: Request) => Promise<Answer>) | undefined;
  /** the error for a request that finds the queue full */
  overloaded(bound: 'owner' | 'total'): Error;
  /** how long a request waits for its commit while no statement ends, in milliseconds; see `CommitLate` */
  answerMs?: number;
}

/**
 * No commit is confirmed: they wait for a standby. What is in flight may still be stored; what is not was taken out of the queue. The caller
 * repeats it, and its idempotency key tells.
 */
export class CommitLate extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007';

  constructor() {
    super('No commit is confirmed: whether this one will be is unknown');
  }
}

interface Waiting<Request, Answer> {
  id: symbol;
  request: Request;
  /** by the monotonic clock */
  since: number;
  /** of the caller */
  span: Span | null;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  /** of a request that a group has sent alone: what is held until it is stored */
  locks?: readonly string[];
}

/** Longer than a group on a busy machine takes, and shorter than most programs wait for an answer. */
const defaultAnswerMs = 10_000;
/** How often it is looked for requests that wait too long, as a share of that time. */
const lookShare = 0.1;

/** Statements in flight: the second one starts only when the first has run for `patienceMs`. */
const flights = 2;
const patienceMs = 50;
/** Requests in statements of their own at the same time: altogether, of one project, since they may wait for its locks, and of one turn. */
const mostAlone = 12;
const mostAloneOfOwner = 4;
const mostAloneOfTurn = 8;
/** A failing group of this size or less is not halved further: its requests are stored one by one. */
const fewest = 16;
const one: Bound = { count: 1, weight: Number.POSITIVE_INFINITY };

/**
 * Natural group commit: requests that arrive while a statement runs are stored by the next one. A request is answered after the
 * commit of its statement, with an outcome of its own: a group that fails because of one request is split until that one is alone.
 */
export class GroupCommit<Request, Answer> {
  readonly #options: GroupOptions<Request, Answer>;
  readonly #waiting: GroupQueue<Waiting<Request, Answer>>;
  readonly #waitingAlone: GroupQueue<Waiting<Request, Answer>>;
  /** names of the locks of the groups in flight */
  readonly #held = new Counts();
  #flying = 0;
  #flyingAlone = 0;
  readonly #flyingAloneOf = new Counts();
  readonly #flyingAloneOfTurn = new Counts();
  #startedAt = 0;
  #isScheduled = false;
  #patience: NodeJS.Timeout | undefined;
  /** requests without an answer, in the order of arrival */
  readonly #open = new Map<symbol, Waiting<Request, Answer>>();
  #look: NodeJS.Timeout | undefined;
  /** when a statement ended last, well or not */
  #endedAt = 0;

  constructor(options: GroupOptions<Request, Answer>) {
    this.#options = options;
    this.#waiting = new GroupQueue(options);
    this.#waitingAlone = new GroupQueue(options);
  }

  /** @throws the error of this request; `overloaded` when too many wait; `CommitLate` */
  add(request: Request): Promise<Answer> {
    const place = this.#options.placeOf(request);
    const queue = this.#options.isLarge?.(request) ? this.#waitingAlone : this.#waiting;
    const bound = queue.fullFor(place.owner);
    if (bound) return Promise.reject(this.#options.overloaded(bound));
    return new Promise<Answer>((resolve, reject) => {
      const id = Symbol();
      const waiting: Waiting<Request, Answer> = {
        ...{ id, request, since: performance.now(), span: currentSpan() },
        resolve: (answer) => {
          this.#open.delete(id);
          resolve(answer);
        },
        reject: (error) => {
          this.#open.delete(id);
          reject(error);
        },
      };
      this.#open.set(id, waiting);
      queue.add(waiting, place);
      this.#schedule();
      this.#watch();
    });
  }

  #watch(): void {
    const { answerMs = defaultAnswerMs } = this.#options;
    this.#look ??= setTimeout(() => {
      this.#look = undefined;
      const latest = performance.now() - answerMs;
      // While statements end, the queue moves, and a request waits for its turn.
      if (this.#endedAt <= latest)
        for (const { since, reject } of this.#open.values()) {
          if (since > latest) break;
          reject(new CommitLate());
        }
      if (this.#open.size > 0) this.#watch();
    }, answerMs * lookShare);
    this.#look.unref();
  }

  /** After the requests that were read in the same turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#flyingAlone < mostAlone) {
      const [entry] = this.#waitingAlone.take(
        one,
        undefined,
        (owner, turn) =>
          this.#flyingAloneOf.get(owner) < mostAloneOfOwner &&
          this.#flyingAloneOfTurn.get(turnKey(turn)) < mostAloneOfTurn,
      );
      if (!entry) break;
      void this.#flyAlone(entry.item, entry.place.owner, entry.key);
    }
    while (this.#waiting.length > 0 && this.#mayFly()) {
      const entries = this.#waiting.take(this.#options.group, this.#held);
      if (entries.length === 0) return;
      const waited = entries.filter(({ item }) => this.#open.has(item.id));
      if (waited.length === 0) continue;
      void this.#fly(
        waited.map(({ item }) => item),
        waited.flatMap(({ place }) => place.locks.map(({ name }) => name)),
      );
    }
  }

  #mayFly(): boolean {
    if (this.#flying === 0) return true;
    if (this.#flying >= flights) return false;
    const left = this.#startedAt + patienceMs - performance.now();
    if (left <= 0) return true;
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      this.#start();
    }, left);
    return false;
  }

  async #fly(group: Waiting<Request, Answer>[], locks: string[]): Promise<void> {
    this.#flying += 1;
    this.#startedAt = performance.now();
    observeTurn('group', Math.min(...group.map(({ since }) => since)));
    observeGroup(this.#options.name, group.length);
    for (const name of locks) this.#held.add(name, 1);
    await this.#store(group);
    this.#endedAt = performance.now();
    for (const name of locks) this.#held.add(name, -1);
    this.#flying -= 1;
    this.#schedule();
  }

  async #store(group: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const requests = group.map(({ request }) => request);
      const outcomes = await this.#traced(group, () =>
        retryConflicts(() => this.#options.together(requests)),
      );
      for (const [index, waiting] of group.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      await this.#storeDespite(error, group);
    }
  }

  /** An error of one request is found by halving; small groups do not occupy the flight with it. */
  async #storeDespite(error: unknown, group: readonly Waiting<Request, Answer>[]): Promise<void> {
    const hasAlone = this.#options.alone !== undefined;
    const isOfOne = isConflict(error) || isOfStatement(error);
    if (hasAlone && (waitedForLock(error) || (isOfOne && group.length > 1 && group.length <= fewest)))
      for (const waiting of group) this.#settle(waiting, 'alone');
    else if (isOfOne && group.length > 1) {
      const half = group.length >> 1;
      await this.#store(group.slice(0, half));
      await this.#store(group.slice(half));
    } else for (const { reject } of group) reject(error);
  }

  #settle(waiting: Waiting<Request, Answer>, outcome: Outcome<Answer> | undefined): void {
    if (outcome === undefined) waiting.reject(new Error('a group gave no outcome for a request'));
    else if (outcome === 'alone') this.#sendAlone(waiting);
    else if ('answer' in outcome) waiting.resolve(outcome.answer);
    else waiting.reject(outcome.error);
  }

  /** What waits for the same locks stays behind it: requests about one thing are stored in the order of arrival. */
  #sendAlone(waiting: Waiting<Request, Answer>): void {
    const place = this.#options.placeOf(waiting.request);
    const locks = place.locks.map(({ name }) => name);
    for (const name of locks) this.#held.add(name, 1);
    this.#waitingAlone.add({ ...waiting, locks }, place);
  }

  async #flyAlone(waiting: Waiting<Request, Answer>, owner: string, turn: string): Promise<void> {
    const { since, resolve, reject, locks = [] } = waiting;
    const count = (change: number): void => {
      this.#flyingAloneOf.add(owner, change);
      this.#flyingAloneOfTurn.add(turn, change);
      this.#flyingAlone += change;
    };
    // From here on the limits of its statement count, which may rightly take longer than a group.
    if (this.#open.delete(waiting.id)) {
      observeTurn('group', since);
      count(1);
      try {
        resolve(await this.#traced([waiting], () => this.#alone(waiting.request)));
      } catch (error) {
        reject(error);
      }
      this.#endedAt = performance.now();
      count(-1);
    }
    for (const name of locks) this.#held.add(name, -1);
    this.#schedule();
  }

  /** One span for all, linked to the requests that share it. */
  #traced<Result>(group: readonly Waiting<Request, Answer>[], work: () => Promise<Result>): Promise<Result> {
    if (!isTracing()) return work();
    const sharers = group.flatMap(({ span }) => span ?? []);
    return sharedSpan(
      `sql ${this.#options.name}`,
      { 'postrider.count': group.length },
      sharers,
      work,
      'client',
    );
  }

  #alone(request: Request): Promise<Answer> {
    const { alone } = this.#options;
    if (!alone) throw new Error('this group has no statement for a single request');
    return retryConflicts(() => alone(request));
  }
}

/**
 * Whether the server refused the statement itself and so stored nothing. After any other error the statement may have been
 * committed: repeating it could store a request twice.
 */
const isOfStatement = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(databaseCode(error) ?? '') && !databaseIsAway(error);
