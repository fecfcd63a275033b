import { FairQueue, type Owners, turnKey, type Verdict } from '../../base/kernel/index.ts';
import type { OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import { Counts } from '../../base/lib/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { Attempt } from './attempt.ts';
import { rankOf } from './rank.ts';

/**
 * Composed messages beyond the connections: a free connection finds its next message ready, and there is room for calls of the
 * full size on every composing thread. With 16, campaigns of 20,000 were sent 4 to 8 % slower.
 */
const ahead = 256;
const bytesLimit = 64 * 1_048_576;

export interface TransportLoad {
  /** connections that the mail server is known to allow */
  readonly allowed: number;
  /** those of them that are not in use, and one more when it is time to try whether it is allowed */
  readonly free: number;
  /** a message waits although a connection is free */
  want(): void;
}

/** Connections of those that the server allows that campaigns leave to other email; with a single one nothing would leave. */
const reservedOf = (allowed: number): number => (allowed < 2 ? 0 : Math.ceil(allowed / 10));

/** Whether a message may go to the mail server now. */
export interface Gate {
  admits(): boolean;
}

/**
 * Composed messages, in the order in which connections take them: transactional and workflow email before campaigns, in the order of
 * turns, and transactional email of a project before that of its workflows. Of the connections that the server allows, campaigns leave a
 * tenth, and an owner leaves half to others that wait.
 */
export class ReadyQueue {
  readonly #owners: Owners;
  readonly #queues: Record<Kind, FairQueue<Attempt>>;
  /** by turn */
  readonly #underWay = new Counts();
  readonly #load: TransportLoad;
  readonly #gate: Gate;
  readonly #onTaken: (kind: Kind) => void;
  #bytes = 0;
  #closed = false;

  /** @param onTaken there is room for another message of this kind */
  constructor(owners: Owners, load: TransportLoad, gate: Gate, onTaken: (kind: Kind) => void) {
    this.#owners = owners;
    this.#queues = { direct: new FairQueue(owners), bulk: new FairQueue(owners) };
    this.#load = load;
    this.#gate = gate;
    this.#onTaken = onTaken;
  }

  /** How many more messages of this kind are to be composed ahead. */
  room(kind: Kind): number {
    if (this.#bytes >= bytesLimit) return 0;
    return this.#load.allowed + ahead - this.#queues[kind].size;
  }

  get size(): number {
    return this.#queues.direct.size + this.#queues.bulk.size;
  }

  add(attempt: Attempt): void {
    const { batch, data, email } = attempt;
    this.#bytes += data.length;
    this.#queues[batch.kind].add(batch.projectId, attempt, rankOf(email));
  }

  /** Nothing more is given to the transport. */
  close(): void {
    this.#closed = true;
  }

  /** The next message for a connection. */
  next(chained: boolean): OutgoingMessage | null {
    if (this.#closed || this.size === 0) return null;
    if (chained && this.#queues.direct.size > 0) return null;
    if (!this.#gate.admits()) return null;
    return this.#take('direct') ?? (chained || this.#sparesConnections() ? this.#take('bulk') : null);
  }

  /** The transport has ended an attempt. */
  ended(attempt: Attempt): void {
    this.#underWay.add(attempt.turn, -1);
  }

  /** Whether the asking connection can be given to a campaign. */
  #sparesConnections(): boolean {
    if (this.#load.free > reservedOf(this.#load.allowed)) return true;
    if (this.#queues.bulk.size > 0) this.#load.want();
    return false;
  }

  #take(kind: Kind): Attempt | null {
    const queue = this.#queues[kind];
    if (queue.size === 0) return null;
    const share = this.#load.allowed / 2;
    const attempt =
      (queue.turns > 1 &&
        queue.take((item, turn) => this.#judge(item, this.#underWay.get(turnKey(turn)) >= share))) ||
      queue.take((item) => this.#judge(item, false));
    if (!attempt) return null;
    const { batch, email, data } = attempt;
    batch.take(email.n);
    this.#bytes -= data.length;
    attempt.turn = turnKey(this.#owners.turnOf(batch.projectId));
    this.#underWay.add(attempt.turn, 1);
    this.#onTaken(kind);
    return attempt;
  }

  #judge({ batch, email, data }: Attempt, hasItsShare: boolean): Verdict {
    if (!batch.isWaiting(email.n)) {
      this.#bytes -= data.length;
      return 'drop';
    }
    // A lease that is being renewed after an outage: the message waits for it.
    return hasItsShare || !batch.holds ? 'pass' : 'take';
  }
}
