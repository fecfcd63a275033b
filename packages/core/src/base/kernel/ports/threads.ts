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
  /** Owners of projects take turns, and none occupies all threads (behaviour B8.6). A key that is no id of a project has a turn of its own. */
  readonly projectId: string;
  /** Time of the CPU, in milliseconds, after which the thread is stopped: time spent waiting for a busy machine does not count. */
  readonly cpuMs: number;
  /** goes before the other waiting tasks of the project */
  readonly isUrgent?: boolean;
  /** The tasks of this turn occupy at most half of the threads, as those of a slow owner. */
  readonly isHalved?: boolean;
}

/** Threads that run tasks. */
export interface Threads {
  /**
   * @throws TaskLimitError when the task needs more CPU time or memory than it may use
   * @throws AppError RATE_LIMIT_EXCEEDED when too many tasks of the project are waiting
   * @throws ThreadsUnavailableError when no thread could run the task, which says nothing about the task
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: TaskOptions): Promise<Output>;
  /** Whether a task of the project's owner took long within the last minute. */
  isSlow(projectId: string): boolean;
  /** Starts all threads, so that the first tasks need not wait for them. Resolves when they are ready. */
  start(): Promise<void>;
  /** Starts a thread if there is none: a task comes when what it needs has been read. */
  wake(): void;
  /** Ends the threads without a task, because memory is short. */
  release(): void;
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

/** No thread could run a task: its code cannot be loaded, the system starts no thread, or a thread ended on its own. */
export class ThreadsUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`no thread could run the task: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'ThreadsUnavailableError';
  }
}
