import { availableParallelism } from 'node:os';
import { AppError } from '../../kernel/errors.ts';
import type { Task, TaskOptions, Threads } from '../../kernel/ports/threads.ts';
import { FairQueue } from './fair-queue.ts';
import { PoolThread, type ThreadOptions } from './pool-thread.ts';

export interface PoolOptions extends ThreadOptions {
  /** number of threads; default one per core, at least two */
  size?: number;
  /** tasks of one project that may wait */
  maxWaiting?: number;
}

interface Job {
  task: string;
  input: unknown;
  moved: ArrayBuffer[];
  options: TaskOptions;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** CPU time, in milliseconds, that no task of an ordinary template needs. */
const slowMs = 100;
/** After such a task its project pauses for this multiple of the time, so that slow tasks use a quarter of what they could. */
const pauseFactor = 3;

/**
 * Threads for tasks of many projects. Threads start when they are needed, or all at once. A project occupies all threads but one,
 * projects take turns, and a project pauses after a slow task: one whose tasks run until their limit delays no other one, and leaves
 * the processor to what else runs on the machine.
 */
export class ThreadPool implements Threads {
  readonly #options: ThreadOptions;
  readonly #size: number;
  readonly #queue: FairQueue<Job>;
  readonly #idle: PoolThread[] = [];
  readonly #threads = new Set<PoolThread>();
  /** tasks per project that occupy a thread */
  readonly #occupied = new Map<string, number>();
  /** projects that pause, with the timer that ends it */
  readonly #pausing = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor({ size = Math.max(2, availableParallelism()), maxWaiting = 200, ...options }: PoolOptions) {
    this.#options = options;
    this.#size = size;
    this.#queue = new FairQueue(maxWaiting);
  }

  run<Input, Output>(task: Task<Input, Output>, input: Input, options: TaskOptions): Promise<Output> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#closed) throw new Error('the threads are closed');
      const moved = task.takes?.(input) ?? [];
      const job: Job = { task: task.name, input, moved, options, resolve, reject };
      if (!this.#queue.add(options.projectId, job, options.isUrgent)) throw tooManyWaiting();
      this.#next();
    }) as Promise<Output>;
  }

  async start(): Promise<void> {
    while (!this.#closed && this.#threads.size < this.#size) void this.#offer(this.#open());
    await Promise.all([...this.#threads].map((thread) => thread.started));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#pausing.values()) clearTimeout(timer);
    for (const job of this.#queue.clear()) job.reject(new Error('the threads are closed'));
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #next(): void {
    while (!this.#closed && (this.#idle.length > 0 || this.#threads.size < this.#size)) {
      const job = this.#queue.take((projectId, next) => this.#mayStart(projectId, next.options));
      if (!job) return;
      const { projectId } = job.options;
      this.#occupied.set(projectId, (this.#occupied.get(projectId) ?? 0) + 1);
      // The one used last, which is the most likely to have the content in its cache.
      void this.#run(job, this.#idle.pop() ?? this.#open());
    }
  }

  #mayStart(projectId: string, { isHalved }: TaskOptions): boolean {
    const occupied = this.#occupied.get(projectId) ?? 0;
    const most = isHalved ? Math.floor(this.#size / 2) : this.#size - 1;
    return !this.#pausing.has(projectId) && occupied < Math.max(1, most);
  }

  async #run(job: Job, thread: PoolThread): Promise<void> {
    const { task, input, moved, options } = job;
    try {
      job.resolve(await thread.run({ task, input }, options.cpuMs, moved));
    } catch (error) {
      job.reject(error);
    }
    await this.#free(thread, options.projectId);
  }

  /** A thread that ended is replaced at the expense of the project that ended it: its share is free when the next thread is ready. */
  async #free(thread: PoolThread, projectId: string): Promise<void> {
    if (thread.usedMs > slowMs && !this.#closed) this.#pause(projectId, pauseFactor * thread.usedMs);
    const free = thread.hasEnded && !this.#closed ? this.#open() : thread;
    await free.started;
    const occupied = (this.#occupied.get(projectId) ?? 1) - 1;
    if (occupied === 0) this.#occupied.delete(projectId);
    else this.#occupied.set(projectId, occupied);
    await this.#offer(free);
  }

  #pause(projectId: string, ms: number): void {
    clearTimeout(this.#pausing.get(projectId));
    const timer = setTimeout(() => {
      this.#pausing.delete(projectId);
      this.#next();
    }, ms);
    this.#pausing.set(projectId, timer);
  }

  async #offer(thread: PoolThread): Promise<void> {
    await thread.started;
    if (!thread.hasEnded) this.#idle.push(thread);
    this.#next();
  }

  #open(): PoolThread {
    const thread = new PoolThread(this.#options);
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
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
