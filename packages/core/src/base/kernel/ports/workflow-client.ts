import type { JobContract } from '../kernel.jobs.ts';

/** Reaches durable workflows. Signals are hints: they log what fails and never throw, since `reconcile` repeats lost ones. */
export interface WorkflowClient {
  /** Starts the workflow, or has the running one read its row again. @returns whether the service took the signal */
  signal<Input>(job: JobContract<Input>, input: Input): Promise<boolean>;
  /** The same for what happens often: debounced per workflow id, the first at once. */
  signalDebounced<Input>(job: JobContract<Input>, input: Input): void;
  /** Starts the workflow if needed, runs its update handler and returns what it answers. @throws when the service is away */
  request<Input, Output>(
    job: JobContract<Input>,
    input: Input,
    update: string,
    timeoutMs: number,
  ): Promise<Output>;
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
