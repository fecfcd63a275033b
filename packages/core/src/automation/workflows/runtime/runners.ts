import { availableParallelism } from 'node:os';
import { listenToChannel } from '../../../base/db/index.ts';
import { executionsChannel } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { observeSet } from '../../../base/kernel/metrics.ts';
import { joiningSpan } from '../../../base/kernel/traces.ts';
import { TurnOrder } from '../../../base/kernel/turn-order.ts';
import { Pause } from '../../../base/lib/index.ts';
import { enterDueBatch, noteDates } from '../entries/enter-due.ts';
import { enterJobBatch } from '../entries/enter-job.ts';
import { cancelBatch } from './cancel.store.ts';
import { dispatchBatch, eventsPerBatch } from './dispatch-events.ts';
import { type DueUnit, findDue, shardOfProject } from './due.store.ts';
import type { FillInInput } from './fill-in.task.ts';
import { type FilledTexts, fillInFirst } from './fill-in.ts';
import { takeCarefully, takeLost } from './lost-turns.ts';
import { SetSizes } from './set-sizes.ts';
import { type TakenSet, takeSet } from './take-set.ts';

/** How often a process looks at everything. In between it knows when the next things are due, and is told of new ones. */
const lookMs = 2_000;
/** For how long what other processes drive may be late before this one takes it. */
const helpMs = 500;
/** How soon a unit is tried again whose rows others hold, and after an error. */
const busyMs = 20;
const errorMs = 500;
/**
 * From the start of a turn until the next one of the same unit. What becomes due in between is handled in one turn, so that at a thousand a
 * second the fixed cost of a transaction is shared by dozens. What becomes due after a pause is handled at once.
 */
const gatherMs: Partial<Record<DueUnit['kind'], number>> = { events: 40, set: 100 };
/** The longest wait of a process that stops for its turns. */
const stopMs = 15_000;

/** What is due, and what of it is being served. */
interface Unit extends Omit<DueUnit, 'inMs'> {
  /** by `performance.now()` */
  dueAt: number;
  notBefore: number;
  serving: number;
  /** when its last turn began, in the order of turns */
  served: number;
  /** its last turn took as much as a turn may: another runner finds something, too */
  hasMore: boolean;
}

type Project = Map<string, Unit>;

export interface RunnerOptions {
  /** turns at a time; default the number of cores, 2 to 8 */
  runners?: number;
  /** whether every shard is driven by this process from the start, as where no driver runs */
  drivesAll?: boolean;
}

/**
 * Runs the sets and the batches of events of all projects, in turns: a turn is one set or one batch, and then the next owner, project and workflow
 * is served. Any number of processes may do so. A process serves the shards that it drives at once, and those of others when they are
 * late: to drive is promptness, never a right. Correctness rests on the locks of the rows.
 */
export class ExecutionRunners {
  readonly #services: Services;
  readonly #runners: number;
  readonly #drivesAll: boolean;
  readonly #order: TurnOrder<Project>;
  readonly #pause = new Pause();
  readonly #stopping = new AbortController();
  readonly #sizes = new SetSizes();
  /** Driven shards, with how many activities drive them, and those among them that lost a process. */
  readonly #driven = new Map<number, number>();
  readonly #careful = new Map<number, number>();
  readonly #told = new Set<string>();
  #running = 0;
  #turn = 0;
  #lookAt = 0;
  readonly #loop: Promise<void>;
  readonly #listening: Promise<void>;

  constructor(services: Services, { runners, drivesAll = false }: RunnerOptions = {}) {
    this.#services = services;
    this.#runners = runners ?? Math.min(8, Math.max(2, availableParallelism()));
    this.#drivesAll = drivesAll;
    this.#order = new TurnOrder(services.owners);
    this.#listening = listenToChannel({
      url: services.config.DATABASE_URL,
      channel: executionsChannel,
      onPayload: (projectId) => {
        this.#told.add(projectId);
        this.#pause.wake();
      },
      onListening: () => this.#lookSoon(),
      log: services.log,
      stopped: this.#stopping.signal,
    });
    this.#loop = this.#run();
  }

  /**
   * Drives a shard until the result is called.
   *
   * @param isCareful the process that drove it before was lost
   */
  drive(shard: number, isCareful: boolean): () => void {
    const change = (counts: Map<number, number>, by: number): void => {
      counts.set(shard, (counts.get(shard) ?? 0) + by);
    };
    change(this.#driven, 1);
    if (isCareful) change(this.#careful, 1);
    this.#lookSoon();
    return () => {
      change(this.#driven, -1);
      if (isCareful) change(this.#careful, -1);
    };
  }

  #lookSoon(): void {
    this.#lookAt = 0;
    this.#pause.wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#look();
      let next = this.#running < this.#runners ? this.#next() : undefined;
      while (next && !this.#stopping.signal.aborted) {
        void this.#serve(next);
        next = this.#running < this.#runners ? this.#next() : undefined;
      }
      await this.#pause.wait(this.#waitMs());
    }
  }

  /** Looks at everything when it is time, and at projects of which it was told. */
  async #look(): Promise<void> {
    try {
      if (performance.now() >= this.#lookAt) {
        this.#told.clear();
        this.#lookAt = performance.now() + lookMs;
        this.#note(null, await findDue(this.#services.database.grouped, null));
      }
      const told = [...this.#told];
      this.#told.clear();
      for (const projectId of told) await this.#lookAtProject(projectId);
    } catch (error) {
      this.#services.log.warn({ err: error }, 'could not look for due executions; trying again');
      this.#lookAt = performance.now() + errorMs;
    }
  }

  async #lookAtProject(projectId: string): Promise<void> {
    this.#note(projectId, await findDue(this.#services.database.grouped, projectId));
  }

  /** @param only the project that was looked at; null for all */
  #note(only: string | null, found: readonly DueUnit[]): void {
    const now = performance.now();
    const seen = new Set<string>();
    for (const { inMs, ...unit } of found) {
      const key = keyOf(unit);
      seen.add(`${unit.projectId} ${key}`);
      const project = this.#order.place(unit.projectId, () => new Map());
      const known = project.get(key);
      if (known) known.dueAt = now + inMs;
      else
        project.set(key, { ...unit, dueAt: now + inMs, notBefore: 0, serving: 0, served: 0, hasMore: false });
    }
    const looked = only === null ? this.#order.leaves() : [this.#order.get(only)];
    for (const project of looked) {
      if (!project) continue;
      let id = only;
      for (const [key, unit] of project) {
        id = unit.projectId;
        if (seen.has(`${unit.projectId} ${key}`)) continue;
        unit.dueAt = Number.POSITIVE_INFINITY;
        if (unit.serving === 0 && unit.notBefore <= now) project.delete(key);
      }
      if (project.size === 0 && id !== null) this.#order.delete(id);
    }
  }

  /** The unit whose turn it is: none that is being served while another one is due. */
  #next(): Unit | undefined {
    const now = performance.now();
    const unit =
      this.#order.first((project) => this.#nextIn(project, now, false)) ??
      this.#order.first((project) => this.#nextIn(project, now, true));
    if (unit) this.#order.served(unit.projectId);
    return unit;
  }

  /** Events and cancellations before all else, and then the workflow that was served longest ago. */
  #nextIn(project: Project, now: number, mayBeServed: boolean): Unit | undefined {
    let best: Unit | undefined;
    for (const unit of project.values()) {
      if (unit.dueAt > now - this.#patienceOf(unit) || unit.notBefore > now) continue;
      if (unit.serving > 0 && !(mayBeServed && unit.hasMore)) continue;
      if (isFirst(unit)) return unit;
      if (!best || unit.served < best.served) best = unit;
    }
    return best;
  }

  #patienceOf({ projectId }: Unit): number {
    const isDriven = this.#drivesAll || (this.#driven.get(shardOfProject(projectId)) ?? 0) > 0;
    return isDriven ? 0 : helpMs;
  }

  #waitMs(): number {
    const now = performance.now();
    if (this.#running >= this.#runners) return lookMs;
    let at = this.#lookAt;
    for (const project of this.#order.leaves())
      for (const unit of project.values()) {
        if (unit.serving > 0) continue;
        at = Math.min(at, Math.max(unit.dueAt + this.#patienceOf(unit), unit.notBefore));
      }
    return Math.max(1, Math.ceil(at - now));
  }

  async #serve(unit: Unit): Promise<void> {
    this.#running += 1;
    this.#turn += 1;
    unit.serving += 1;
    unit.served = this.#turn;
    const begun = performance.now();
    try {
      const taken = await this.#takeTurn(unit);
      unit.hasMore = unit.kind === 'set' && taken >= this.#sizes.of(unit.workflowId ?? '');
      if (taken === 0) unit.notBefore = performance.now() + busyMs;
      else if (!unit.hasMore && taken < eventsPerBatch) unit.notBefore = begun + (gatherMs[unit.kind] ?? 0);
      await this.#lookAtProject(unit.projectId);
    } catch (error) {
      unit.notBefore = performance.now() + errorMs;
      const { projectId, kind, workflowId } = unit;
      this.#services.log.warn({ err: error, projectId, kind, workflowId }, 'a turn failed; trying again');
    } finally {
      this.#running -= 1;
      unit.serving -= 1;
      this.#pause.wake();
    }
  }

  /** @returns how much it did; 0 when others hold what is due */
  async #takeTurn({ kind, projectId, workflowId }: Unit): Promise<number> {
    if (kind === 'events') return this.#dispatch(projectId);
    if (workflowId === null) return 0;
    if (kind === 'cancel') return cancelBatch(this.#services.database.durable, projectId, workflowId);
    if (kind === 'entries') return enterDueBatch(this.#services, { projectId, workflowId });
    if (kind === 'job') return enterJobBatch(this.#services, { projectId, workflowId });
    if (kind === 'dates') return noteDates(this.#services, { projectId, workflowId });
    return this.#takeSet({ projectId, workflowId });
  }

  #dispatch(projectId: string): Promise<number> {
    return joiningSpan('events.dispatch', { 'postrider.project_id': projectId }, async (span) => {
      const { taken } = await dispatchBatch(this.#services, projectId);
      span?.set({ 'postrider.count': taken });
      if (taken === 0) span?.wasVain();
      return taken;
    });
  }

  #takeSet(unit: { projectId: string; workflowId: string }): Promise<number> {
    return joiningSpan('executions.set', { 'postrider.project_id': unit.projectId }, async (span) => {
      const taken = await this.#runSet(unit);
      span?.set({ 'postrider.count': taken });
      if (taken === 0) span?.wasVain();
      return taken;
    });
  }

  async #runSet(unit: { projectId: string; workflowId: string }): Promise<number> {
    const isCareful = (this.#careful.get(shardOfProject(unit.projectId)) ?? 0) > 0;
    const begun = performance.now();
    const taking = isCareful
      ? takeCarefully(this.#services, unit)
      : takeSet(this.#services, unit, { limit: this.#sizes.of(unit.workflowId) });
    const first = await taking.catch((error: unknown) => {
      observeSet('error', begun);
      throw error;
    });
    if (first.taken > 0) observeSet(first.failures > 0 ? 'divided' : 'done', begun);
    if (first.taken > 0 && !isCareful)
      this.#sizes.observe(unit.workflowId, { ms: performance.now() - begun, ...first });
    const set = first.taken > 0 ? first : await takeLost(this.#services, unit);
    if (set.needed.size > 0) void this.#fillIn(unit, set.needed);
    return set.taken;
  }

  /** Texts that need a thread never keep a set waiting, nor a runner. */
  async #fillIn(
    unit: { projectId: string; workflowId: string },
    first: ReadonlyMap<string, FillInInput>,
  ): Promise<void> {
    const filledTexts: FilledTexts = new Map();
    try {
      for (let needed = first; needed.size > 0 && !this.#stopping.signal.aborted; ) {
        await fillInFirst(this.#services, unit.projectId, [...needed.values()], filledTexts);
        const ids = [...needed.keys()];
        const set: TakenSet = await takeSet(this.#services, unit, { limit: ids.length, ids, filledTexts });
        needed = set.needed;
      }
      await this.#lookAtProject(unit.projectId);
      this.#pause.wake();
    } catch (error) {
      // They are due again in a few seconds.
      this.#services.log.warn({ err: error, ...unit }, 'the texts of steps could not be filled in');
    }
  }

  /** Begins no further turn, and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.wake();
    await Promise.all([this.#loop, this.#listening]);
    const ends = performance.now() + stopMs;
    while (this.#running > 0 && performance.now() < ends) await this.#pause.wait(50);
  }
}

const isFirst = ({ kind }: Pick<DueUnit, 'kind'>): boolean => kind === 'events' || kind === 'cancel';

const keyOf = ({ kind, workflowId }: Pick<DueUnit, 'kind' | 'workflowId'>): string =>
  workflowId === null ? kind : `${kind} ${workflowId}`;
