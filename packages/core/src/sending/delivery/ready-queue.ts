import { type Owners, turnKey } from '../../kernel/index.ts';
import type { OutgoingMessage } from '../../kernel/ports/mail-transport.ts';
import type { Attempt } from './attempt.ts';
import { FairQueue, type Verdict } from './fair-queue.ts';
import type { Kind } from './held-batch.ts';
import { rankOf } from './rank.ts';

/**
 * Composed messages beyond the connections: a free connection finds its next message ready, and there is room for calls of the
 * full size on every composing thread. With 16, campaigns of 20,000 were sent 4 to 8 % slower.
 */
const ahead = 256;
const bytesLimit = 64 * 1_048_576;

export interface TransportLoad {
  readonly connections: number;
  readonly free: number;
}

/** Whether a message may go to the mail server now. */
export interface Gate {
  admits(): boolean;
  /** a message has been taken */
  taken(): void;
}

/**
 * Composed messages, in the order in which connections take them: transactional and workflow email before campaigns, in the order of
 * turns, and transactional email of a project before that of its workflows. Campaigns leave a tenth of the connections, and an owner leaves
 * half of them to others that wait.
 */
export class ReadyQueue {
  readonly #owners: Owners;
  readonly #queues: Record<Kind, FairQueue<Attempt>>;
  /** by turn */
  readonly #underWay = new Map<string, number>();
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
    return this.#load.connections + ahead - this.#queues[kind].size;
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
    const key = attempt.turn;
    const left = (this.#underWay.get(key) ?? 0) - 1;
    if (left > 0) this.#underWay.set(key, left);
    else this.#underWay.delete(key);
  }

  /** Whether the asking connection can be given to a campaign. */
  #sparesConnections(): boolean {
    const reserved = Math.max(2, Math.ceil(this.#load.connections / 10));
    return this.#load.free > Math.min(reserved, this.#load.connections - 1);
  }

  #take(kind: Kind): Attempt | null {
    const queue = this.#queues[kind];
    if (queue.size === 0) return null;
    const share = this.#load.connections / 2;
    const attempt =
      (queue.turns > 1 &&
        queue.take((item, turn) => this.#judge(item, (this.#underWay.get(turnKey(turn)) ?? 0) >= share))) ||
      queue.take((item) => this.#judge(item, false));
    if (!attempt) return null;
    const { batch, email, data } = attempt;
    batch.take(email.n);
    this.#bytes -= data.length;
    attempt.turn = turnKey(this.#owners.turnOf(batch.projectId));
    this.#underWay.set(attempt.turn, (this.#underWay.get(attempt.turn) ?? 0) + 1);
    this.#gate.taken();
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
