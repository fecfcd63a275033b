import { Worker } from 'node:worker_threads';
import { TaskLimitError, ThreadsUnavailableError } from '../../base/kernel/ports/threads.ts';
import { threadFlags } from '../thread-flags.ts';
import type { TaskMessage, ThreadData, ThreadMessage } from './messages.ts';

export interface ThreadOptions {
  /** the module that a thread runs */
  entry: URL;
  data: ThreadData;
  /** heap of a thread in MiB; a task that needs more ends with its thread */
  memoryMb: number;
}

/**
 * A task that has used hardly any CPU time for this many times its limit is waiting for something that does not come. That says nothing
 * about its content: its thread ends, and it is run again.
 */
const wallFactor = 100;
/** The shortest and the longest pause between two checks, in milliseconds. */
const shortestPause = 10;
const longestPause = 50;
/**
 * V8's own limit, as a multiple of that of a task. It is a last resort: when an allocation passes it at once, V8 ends the whole process
 * instead of the thread. The checks end the thread before.
 */
const hardLimitFactor = 4;

interface Running {
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** A task waited for something that did not come. */
export class StuckTaskError extends Error {
  constructor() {
    super('a task did not end, and used hardly any time of the CPU');
    this.name = 'StuckTaskError';
  }
}

/** One thread. It ends when a task exceeds a limit, and is then `ended`. */
export class PoolThread {
  readonly ended: Promise<void>;
  /**
   * Resolves when the thread takes tasks, or has ended before. It is one promise for all tasks: `Promise.race` with `ended` for each of
   * them would keep something for each until the thread ends.
   */
  readonly started: Promise<void>;
  hasEnded = false;
  /** whether it was given a task */
  hasRun = false;
  readonly #worker: Worker;
  readonly #memoryMb: number;
  #running: Running | null = null;
  #failure: Error | null = null;
  #watch: NodeJS.Timeout | undefined;
  /** CPU time of the latest task, in milliseconds; of one that was stopped, its limit */
  usedMs = 0;
  /** CPU time of the thread before the current task, in milliseconds */
  #cpuBefore = 0;

  constructor({ entry, data, memoryMb }: ThreadOptions) {
    this.#memoryMb = memoryMb;
    this.#worker = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: hardLimitFactor * memoryMb },
      execArgv: threadFlags,
      // Templates have no way to the environment; a thread does not need it either.
      env: {},
    });
    const ready = new Promise<void>((resolve) => {
      this.#worker.on('message', (message: ThreadMessage) => {
        const usedMs = message.cpuMs - this.#cpuBefore;
        this.#cpuBefore = message.cpuMs;
        if (message.kind !== 'ready') {
          this.usedMs = usedMs;
          this.#settle(message);
          return;
        }
        // An idle thread does not keep the process alive.
        this.#worker.unref();
        resolve();
      });
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskLimitError('memory') : error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.hasEnded = true;
        clearTimeout(this.#watch);
        this.#running?.reject(this.#reason());
        this.#running = null;
        resolve();
      });
    });
    this.started = Promise.race([ready, this.ended]);
  }

  /** Runs one task. @throws TaskLimitError or StuckTaskError, after which the thread ends; ThreadsUnavailableError if it ended itself */
  async run(message: TaskMessage, cpuMs: number, moved: ArrayBuffer[] = []): Promise<unknown> {
    await this.started;
    if (this.hasEnded) throw this.#reason();
    this.hasRun = true;
    this.usedMs = 0;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
      this.#worker.postMessage(message, moved);
      this.#check(cpuMs, cpuMs * wallFactor, Math.min(longestPause, cpuMs));
    });
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(message: Exclude<ThreadMessage, { kind: 'ready' }>): void {
    const running = this.#running;
    this.#running = null;
    clearTimeout(this.#watch);
    this.#worker.unref();
    if (message.kind === 'done') running?.resolve(message.output);
    else running?.reject(message.code === null ? message.error : new ThreadsUnavailableError(message.error));
  }

  #reason(): Error {
    const reason = this.#failure;
    return reason instanceof TaskLimitError || reason instanceof StuckTaskError
      ? reason
      : new ThreadsUnavailableError(reason ?? new Error('the thread ended'));
  }

  /**
   * Checks after `pause` milliseconds how much memory and CPU time was used: on a busy machine, less time than has passed.
   *
   * @param patience pauses that are left, in milliseconds. Each counts once, however late it ends: a process that was stopped, as a
   * suspended machine stops it, has not given its task that time.
   */
  #check(cpuMs: number, patience: number, pause: number): void {
    const running = this.#running;
    this.#watch = setTimeout(async () => {
      const [used, heapMb] = await Promise.all([this.#usedMs(), this.#heapMb()]).catch(() => [0, 0] as const);
      if (this.#running !== running) return;
      const left = patience - pause;
      if (heapMb <= this.#memoryMb && used < cpuMs && left > 0) {
        this.#check(cpuMs, left, Math.min(longestPause, Math.max(shortestPause, cpuMs - used)));
        return;
      }
      this.usedMs = used;
      const isStuck = heapMb <= this.#memoryMb && used < cpuMs;
      this.#failure ??= isStuck
        ? new StuckTaskError()
        : new TaskLimitError(heapMb > this.#memoryMb ? 'memory' : 'time');
      await this.terminate();
    }, pause);
  }

  async #heapMb(): Promise<number> {
    const { used_heap_size: bytes } = await this.#worker.getHeapStatistics();
    return bytes / 1_048_576;
  }

  /** CPU time that the current task has used. It is known even while the thread runs a loop without end. */
  async #usedMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage();
    return (user + system) / 1_000 - this.#cpuBefore;
  }
}
