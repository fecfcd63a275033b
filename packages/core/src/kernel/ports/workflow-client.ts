import type { JobContract } from '../kernel.jobs.ts';

/** The durable engine. All calls but `request` are hints: they log what fails and never throw, since `reconcile` repeats them. */
export interface WorkflowClient {
  /** Starts the workflow, or tells the running one to read its row again. */
  signal<Input>(job: JobContract<Input>, input: Input): Promise<void>;
  /** Pokes for something that happens often: the first at once, then one trailing per 100 ms and id. */
  signalDebounced<Input>(job: JobContract<Input>, input: Input): void;
  /** Starts the workflow if needed, runs its update handler and returns what it answers. @throws when the engine is away */
  request<Input, Output>(
    job: JobContract<Input>,
    input: Input,
    update: string,
    timeoutMs: number,
  ): Promise<Output>;
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
