import type { ProjectBacklog } from '../ledger/claim.store.ts';
import type { Kind } from './held-batch.ts';

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

/** The projects that are worth a claim of one kind, in turns. A project that waits for its rate costs nothing until then. */
export class Outbox {
  readonly kind: Kind;
  readonly #due = new Map<string, DueProject>();
  readonly #onDue: () => void;

  constructor(kind: Kind, onDue: () => void) {
    this.kind = kind;
    this.#onDue = onDue;
  }

  has(projectId: string): boolean {
    return this.#due.has(projectId);
  }

  /** Email of the project is due. A project that waits for its rate goes on waiting. */
  add(projectId: string): void {
    if (this.#due.has(projectId)) return;
    this.#due.set(projectId, { at: 0, count: firstCount });
    this.#onDue();
  }

  /**
   * The next projects to claim for; they leave the outbox until `claimed` returns them.
   *
   * @param emails claimed emails that there is room for, estimated by the last claim of each project
   * @param roomOf emails that there is room for from one project
   */
  take(
    emails: number,
    projects: number,
    roomOf: (projectId: string) => number,
  ): { projectId: string; maxEmails: number }[] {
    const taken: { projectId: string; maxEmails: number }[] = [];
    const now = performance.now();
    let expected = 0;
    for (const [projectId, { at, count }] of this.#due) {
      if (expected >= emails || taken.length >= projects) break;
      if (at > now) continue;
      const maxEmails = roomOf(projectId);
      if (maxEmails <= 0) continue;
      this.#due.delete(projectId);
      taken.push({ projectId, maxEmails });
      expected += Math.min(count, maxEmails);
    }
    return taken;
  }

  /** What a claim has left: projects with more due email go to the end of the round. */
  claimed(backlogs: readonly ProjectBacklog[], counts: ReadonlyMap<string, number>): void {
    const now = performance.now();
    for (const { projectId, more, tokensInMs } of backlogs) {
      if (!more) continue;
      const count = counts.get(projectId) ?? 0;
      this.#due.delete(projectId);
      this.#due.set(projectId, { at: now + this.#pause(tokensInMs, count), count: Math.max(1, count) });
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
    for (const { at } of this.#due.values()) next = Math.min(next, at > now ? at - now : noRoomMs);
    return next === Number.POSITIVE_INFINITY ? null : next;
  }
}
