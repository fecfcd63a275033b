import type { Secrets } from '../secrets.ts';

/** What a task may use besides its input. */
export interface TaskContext {
  readonly linksUrl: string;
  readonly secrets: Secrets;
}

/** Work on texts of customers, which runs on a thread so that it can be stopped. Input and output are structured clones. */
export interface Task<Input, Output> {
  readonly name: string;
  run(input: Input, context: TaskContext): Output | Promise<Output>;
  /** the buffers of an input that are moved instead of copied: the caller loses them */
  takes?(input: Input): ArrayBuffer[];
  /** the buffers of an output that are moved instead of copied */
  moves?(output: Output): ArrayBuffer[];
}

export interface TaskOptions {
  /** Projects take turns, and one project never occupies all threads. */
  readonly projectId: string;
  /** Time of the CPU, in milliseconds, after which the thread is stopped: time spent waiting for a busy machine does not count. */
  readonly cpuMs: number;
  /** goes before the other waiting tasks of the project */
  readonly isUrgent?: boolean;
  /** The tasks of this key occupy at most half of the threads. */
  readonly isHalved?: boolean;
}

/** Threads that run tasks. */
export interface Threads {
  /**
   * @throws TaskLimitError when the task needs more CPU time or memory than it may use
   * @throws AppError RATE_LIMIT_EXCEEDED when too many tasks of the project are waiting
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: TaskOptions): Promise<Output>;
  /** Starts all threads, so that the first tasks need not wait for them. Resolves when they are ready. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A task was stopped because it used up its CPU time or its memory. */
export class TaskLimitError extends Error {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super(limit === 'time' ? 'rendering took too long' : 'rendering needed too much memory');
    this.name = 'TaskLimitError';
    this.limit = limit;
  }
}
