import { type Owners, TurnOrder, turnKey } from '../../base/kernel/index.ts';
import type { ProjectBacklog } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { Room } from './room.ts';

/** A project that others may be claiming for, or whose other email goes first, is asked for again after this time. */
const contendedMs: Record<Kind, number> = { direct: 20, bulk: 100 };
/**
 * A project that there was no room for is looked at again after this time. Whatever makes room wakes the claimer earlier, so a
 * shorter time would only cost processor time.
 */
const noRoomMs = 25;
/** A project at its rate is not claimed for more often: 20 emails at the default rate. */
const rateLimitedMs = 200;
/** Expected size of the first claim for a project. */
const firstCount = 500;

interface DueProject {
  /** not to be claimed for before this time of the monotonic clock */
  at: number;
  /** size of the last claim */
  count: number;
}

/** The projects that are worth a claim of one kind, in the order of turns. A project that waits for its rate costs nothing until then. */
export class Outbox {
  readonly kind: Kind;
  readonly #due: TurnOrder<DueProject>;
  readonly #onDue: () => void;

  constructor(kind: Kind, owners: Owners, onDue: () => void) {
    this.#due = new TurnOrder(owners);
    this.kind = kind;
    this.#onDue = onDue;
  }

  has(projectId: string): boolean {
    return this.#due.get(projectId) !== undefined;
  }

  /** Email of the project is due. A project that waits for its rate goes on waiting. */
  add(projectId: string): void {
    if (this.has(projectId)) return;
    this.#due.place(projectId, () => ({ at: 0, count: firstCount }));
    this.#onDue();
  }

  /**
   * The next projects to claim for; they leave the outbox until `claimed` returns them.
   * How much they take of the room is estimated by the last claim of each.
   */
  take({ emails, projects, ofProject, ofTurn }: Room): { projectId: string; maxEmails: number }[] {
    const taken = new Map<string, number>();
    const now = performance.now();
    const expectedOf = new Map<string, number>();
    let expected = 0;
    const next = this.#due.rounds(({ at, count }, projectId, turn) => {
      if (at > now || taken.has(projectId)) return undefined;
      const key = turnKey(turn);
      const ofThis = expectedOf.get(key) ?? 0;
      const maxEmails = ofTurn(key) - expected - ofThis > 0 ? ofProject(projectId) : 0;
      if (maxEmails <= 0) return undefined;
      expectedOf.set(key, ofThis + Math.min(count, maxEmails));
      expected += Math.min(count, maxEmails);
      taken.set(projectId, maxEmails);
      return projectId;
    });
    while (expected < emails && taken.size < projects) if (next() === undefined) break;
    return [...taken].map(([projectId, maxEmails]) => {
      this.#due.served(projectId);
      this.#due.delete(projectId);
      return { projectId, maxEmails };
    });
  }

  /** What a claim has left: projects with more due email go to the end of the round. */
  claimed(backlogs: readonly ProjectBacklog[], counts: ReadonlyMap<string, number>): void {
    const now = performance.now();
    for (const { projectId, more, tokensInMs } of backlogs) {
      if (!more) continue;
      const count = counts.get(projectId) ?? 0;
      this.#due.delete(projectId);
      const at = now + this.#pause(tokensInMs, count);
      this.#due.place(projectId, () => ({ at, count: Math.max(1, count) }));
    }
  }

  /** Without a claimed email another process may have been claiming; with some, the project has reached its rate. */
  #pause(tokensInMs: number | null, count: number): number {
    if (count === 0) return Math.max(contendedMs[this.kind], tokensInMs ?? 0);
    return tokensInMs === null ? 0 : Math.max(rateLimitedMs, tokensInMs);
  }

  /** The claim failed: the projects are due as before. */
  returned(projects: readonly { projectId: string }[]): void {
    for (const { projectId } of projects) this.add(projectId);
  }

  /** After a `take` without a project: time until the next one may be claimed for; null when none is due. */
  get nextInMs(): number | null {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#due.leaves()) next = Math.min(next, at > now ? at - now : noRoomMs);
    return next === Number.POSITIVE_INFINITY ? null : next;
  }
}
