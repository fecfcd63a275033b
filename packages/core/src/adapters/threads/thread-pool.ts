import { availableParallelism } from 'node:os';
import { AppError } from '../../base/kernel/errors.ts';
import { FairQueue } from '../../base/kernel/fair-queue.ts';
import type { Owners, Turn } from '../../base/kernel/ports/owners.ts';
import {
  type Task,
  TaskLimitError,
  type TaskOptions,
  type Threads,
  ThreadsUnavailableError,
} from '../../base/kernel/ports/threads.ts';
import { Occupancy } from './occupancy.ts';
import { PoolThread, StuckTaskError, type ThreadOptions } from './pool-thread.ts';

export interface PoolEvents {
  /** a task gets a thread, for which it has waited since this time of the monotonic clock */
  onWaited?(since: number): void;
  /** the owner's tasks take long: told when it begins, and once a minute */
  onSlow?(turn: Turn, projectId: string): void;
  /** a task was stopped because it used up its CPU time or memory */
  onLimit?(task: string, turn: Turn, limit: TaskLimitError['limit']): void;
}

export interface PoolOptions extends ThreadOptions {
  owners: Owners;
  /** number of threads; default one per core, at least two */
  size?: number;
  /** tasks of one project that may wait; those of an owner may be four times as many */
  maxWaiting?: number;
  /** for how long a thread without a task is kept, in milliseconds; default a minute */
  idleMs?: number;
  /** for how long a task waits for a thread, in milliseconds; default without end */
  patienceMs?: number;
  events?: PoolEvents;
}

interface Job {
  task: string;
  input: unknown;
  moved: ArrayBuffer[];
  options: TaskOptions;
  addedAt: number;
  /** ends its waiting */
  patience: NodeJS.Timeout | undefined;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** A thread keeps some 40 MB, and starts within a second. */
const keptMs = 60_000;

/** How often a task is run whose thread stood still. */
const mostRuns = 3;

/**
 * Threads for tasks of many projects. Threads start when they are needed, or all at once, and end when they are not used. Owners of projects take turns, none occupies
 * all threads, and one whose tasks take long pauses after each (`Occupancy`): tasks that run until their limit delay no other owner's, and
 * leave the processor to what else runs on the machine.
 */
export class ThreadPool implements Threads {
  readonly #options: ThreadOptions;
  readonly #owners: Owners;
  readonly #size: number;
  readonly #queue: FairQueue<Job>;
  readonly #occupancy: Occupancy;
  readonly #events: PoolEvents;
  readonly #patienceMs: number | undefined;
  readonly #idleMs: number;
  readonly #idle: PoolThread[] = [];
  readonly #ends = new Map<PoolThread, NodeJS.Timeout>();
  readonly #threads = new Set<PoolThread>();
  #closed = false;

  constructor({
    size = Math.max(2, availableParallelism()),
    maxWaiting = 200,
    idleMs = keptMs,
    patienceMs,
    owners,
    events = {},
    ...options
  }: PoolOptions) {
    this.#options = options;
    this.#owners = owners;
    this.#size = size;
    this.#events = events;
    this.#idleMs = idleMs;
    this.#patienceMs = patienceMs;
    this.#queue = new FairQueue(owners, { ofProject: maxWaiting, ofTurn: 4 * maxWaiting });
    this.#occupancy = new Occupancy(size, () => this.#next());
  }

  run<Input, Output>(task: Task<Input, Output>, input: Input, options: TaskOptions): Promise<Output> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#closed) throw new Error('the threads are closed');
      const { projectId, isUrgent } = options;
      const moved = task.takes?.(input) ?? [];
      const job: Job = {
        task: task.name,
        input,
        moved,
        options,
        addedAt: performance.now(),
        patience: undefined,
        resolve,
        reject,
      };
      if (!this.#queue.add(projectId, job, isUrgent ? 0 : 1)) throw tooManyWaiting();
      if (this.#patienceMs !== undefined)
        job.patience = setTimeout(() => this.#giveUp(job), this.#patienceMs);
      // Its turn may come earlier once its owner is known.
      void this.#owners.known(projectId)?.then(() => this.#next());
      if (options.isHalved) this.#occupancy.halve(this.#owners.turnOf(projectId));
      this.#next();
    }) as Promise<Output>;
  }

  isSlow(projectId: string): boolean {
    return this.#occupancy.isSlow(this.#owners.turnOf(projectId));
  }

  async start(): Promise<void> {
    while (!this.#closed && this.#threads.size < this.#size) void this.#offer(this.#open());
    await Promise.all([...this.#threads].map((thread) => thread.started));
  }

  wake(): void {
    if (!this.#closed && this.#threads.size === 0) void this.#offer(this.#open());
  }

  release(): void {
    for (const thread of this.#idle.splice(0)) this.#end(thread);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#occupancy.close();
    for (const job of this.#queue.clear()) {
      clearTimeout(job.patience);
      job.reject(new Error('the threads are closed'));
    }
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #giveUp(job: Job): void {
    const { projectId } = job.options;
    this.#queue.remove(projectId, job);
    const retryAfter = Math.max(
      1,
      Math.ceil(this.#occupancy.pauseOf(this.#owners.turnOf(projectId)) / 1_000),
    );
    job.reject(waitedTooLong(retryAfter));
  }

  #next(): void {
    while (!this.#closed && (this.#idle.length > 0 || this.#threads.size < this.#size)) {
      let turn: Turn | undefined;
      const job = this.#queue.take((_, of) => {
        if (!this.#occupancy.mayStart(of)) return 'pass';
        turn = of;
        return 'take';
      });
      if (!job || !turn) return;
      clearTimeout(job.patience);
      this.#occupancy.begin(turn);
      this.#events.onWaited?.(job.addedAt);
      // The one used last, which is the most likely to have the content in its cache.
      const idle = this.#idle.pop();
      if (idle) this.#keep(idle);
      void this.#run(job, turn, idle);
    }
  }

  async #run(job: Job, turn: Turn, idle: PoolThread | undefined): Promise<void> {
    const { task, input, moved, options } = job;
    let thread = idle;
    for (let runs = 1; ; runs += 1) {
      try {
        thread ??= this.#open();
        job.resolve(await thread.run({ task, input }, options.cpuMs, moved));
      } catch (error) {
        if (error instanceof TaskLimitError) this.#events.onLimit?.(job.task, turn, error.limit);
        // What was moved to the thread has ended with it.
        if (error instanceof StuckTaskError && moved.length === 0 && runs < mostRuns && !this.#closed) {
          thread = undefined;
          continue;
        }
        job.reject(error instanceof StuckTaskError ? new ThreadsUnavailableError(error) : error);
      }
      break;
    }
    await this.#free(thread, turn, options.projectId);
  }

  /** A thread that ended is replaced at the expense of the owner that ended it: its share is free when the next thread is ready. */
  async #free(thread: PoolThread | undefined, turn: Turn, projectId: string): Promise<void> {
    if (thread && !this.#closed && this.#occupancy.used(turn, thread.usedMs))
      this.#events.onSlow?.(turn, projectId);
    // One that never ran a task could not be started: the next task tries again.
    const free = thread?.hasEnded && thread.hasRun && !this.#closed ? this.#open() : thread;
    await free?.started;
    this.#occupancy.end(turn);
    if (free) await this.#offer(free);
    else this.#next();
  }

  async #offer(thread: PoolThread): Promise<void> {
    await thread.started;
    if (!thread.hasEnded) {
      this.#idle.push(thread);
      this.#ends.set(thread, setTimeout(() => this.#end(thread), this.#idleMs).unref());
    }
    this.#next();
  }

  /** An idle thread has a task: it does not end. */
  #keep(thread: PoolThread): void {
    clearTimeout(this.#ends.get(thread));
    this.#ends.delete(thread);
  }

  #end(thread: PoolThread): void {
    this.#keep(thread);
    const idle = this.#idle.indexOf(thread);
    if (idle !== -1) this.#idle.splice(idle, 1);
    this.#threads.delete(thread);
    void thread.terminate();
  }

  #open(): PoolThread {
    const thread = new PoolThread(this.#options);
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      this.#keep(thread);
      const idle = this.#idle.indexOf(thread);
      if (idle !== -1) this.#idle.splice(idle, 1);
    });
    return thread;
  }
}

const tooManyWaiting = (): AppError =>
  new AppError(
    'RATE_LIMIT_EXCEEDED',
    'Too many templates or messages of this project are waiting to be read',
    {
      suggestion: 'Send fewer of these requests at once',
    },
  );

const waitedTooLong = (retryAfter: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', 'Templates or messages of this project waited too long to be read', {
    details: { retryAfter },
    suggestion: 'Make templates simpler that take long, or send fewer of these requests at once',
  });
