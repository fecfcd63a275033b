import { type Turn, turnKey } from '../../base/kernel/ports/owners.ts';
import { Counts } from '../../base/lib/counts.ts';

/** CPU time, in milliseconds, that no task of an ordinary template needs. */
const slowMs = 100;
/** For how long an owner is slow after the pause that follows such a task. */
const slowForMs = 60_000;
/**
 * After a slow task its owner pauses for this multiple of the task's time. Each further slow task doubles the pause, up to the limit below.
 * Work that belongs to many owners, on half of the threads, pauses without doubling, because owners who are not slow would wait, too.
 */
const pauseFactor = 3;
const longestPauseMs = 60_000;

interface Slow {
  /** slow tasks since the owner became slow */
  tasks: number;
  until: number;
  /** when `onSlow` was called last */
  toldAt: number;
}

/**
 * Who may have how many threads. Owners of slow tasks leave at least one thread to the others, however many they are; each of them has at
 * most half, and pauses after a slow task. Unproven owners pause each for itself, and count together.
 */
export class Occupancy {
  readonly #size: number;
  readonly #onPauseEnd: () => void;
  /** tasks that occupy a thread, by turn */
  readonly #occupied = new Counts();
  /** slow turns, and slow owners */
  readonly #slowTurns = new Map<string, number>();
  readonly #slowOwners = new Map<string, Slow>();
  readonly #pausing = new Map<string, NodeJS.Timeout>();
  /** turns that have at most half of the threads, whether their tasks take long or not */
  readonly #halved = new Set<string>();

  constructor(size: number, onPauseEnd: () => void) {
    this.#size = size;
    this.#onPauseEnd = onPauseEnd;
  }

  /** From now on the turn has at most half of the threads. */
  halve(turn: Turn): void {
    this.#halved.add(turnKey(turn));
  }

  mayStart(turn: Turn): boolean {
    if (this.#pausing.has(turn.owner)) return false;
    const key = turnKey(turn);
    const occupied = this.#occupied.get(key);
    const allButOne = Math.max(1, this.#size - 1);
    const isSlow = this.#isSlowTurn(key);
    if (isSlow && this.#occupiedBySlow() >= allButOne) return false;
    const half = Math.max(1, Math.floor(this.#size / 2));
    return occupied < (isSlow || this.#halved.has(key) ? half : allButOne);
  }

  isSlow(turn: Turn): boolean {
    return this.#isSlowTurn(turnKey(turn));
  }

  /** For how long the owner still pauses, in milliseconds. */
  pauseOf({ owner }: Turn): number {
    const slow = this.#pausing.has(owner) ? this.#slowOwners.get(owner) : undefined;
    return slow ? Math.max(0, slow.until - slowForMs - performance.now()) : 0;
  }

  begin(turn: Turn): void {
    this.#occupied.add(turnKey(turn), 1);
  }

  end(turn: Turn): void {
    this.#occupied.add(turnKey(turn), -1);
  }

  /** A task of this owner has used so much CPU time. @returns whether its owner is slow since now, or for another minute */
  used(turn: Turn, ms: number): boolean {
    if (ms <= slowMs) return false;
    const key = turnKey(turn);
    const now = performance.now();
    const before = this.#slowOwners.get(turn.owner);
    const tasks = before && before.until > now ? before.tasks + 1 : 1;
    this.#forgetOld(now);
    const pauseMs = Math.min(
      longestPauseMs,
      pauseFactor * ms * (this.#halved.has(key) ? 1 : 2 ** (tasks - 1)),
    );
    const until = now + pauseMs + slowForMs;
    const isNews = !before || tasks === 1 || now - before.toldAt >= slowForMs;
    this.#slowOwners.set(turn.owner, { tasks, until, toldAt: isNews ? now : before.toldAt });
    this.#slowTurns.set(key, Math.max(until, this.#slowTurns.get(key) ?? 0));
    this.#pause(turn.owner, pauseMs);
    return isNews;
  }

  close(): void {
    for (const timer of this.#pausing.values()) clearTimeout(timer);
    this.#pausing.clear();
  }

  #isSlowTurn(key: string): boolean {
    const until = this.#slowTurns.get(key);
    return until !== undefined && until > performance.now();
  }

  #occupiedBySlow(): number {
    let sum = 0;
    for (const [key, count] of this.#occupied) if (this.#isSlowTurn(key)) sum += count;
    return sum;
  }

  #forgetOld(now: number): void {
    for (const [owner, { until }] of this.#slowOwners) if (until <= now) this.#slowOwners.delete(owner);
    for (const [key, until] of this.#slowTurns) if (until <= now) this.#slowTurns.delete(key);
  }

  #pause(owner: string, ms: number): void {
    clearTimeout(this.#pausing.get(owner));
    const timer = setTimeout(() => {
      this.#pausing.delete(owner);
      this.#onPauseEnd();
    }, ms);
    this.#pausing.set(owner, timer);
  }
}
