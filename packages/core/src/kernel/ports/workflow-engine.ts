/** The contract of a durable workflow: where it runs, under which id, and what it is told. Input is ids, never data. */
export interface JobContract<Input> {
  /** name of the workflow function */
  workflow: string;
  taskQueue: 'control' | 'executions' | 'mail';
  /** deterministic, may be used again: the row decides whether there is anything to do */
  id(input: Input): string;
}

/** The durable engine. All calls but `request` are hints: they log what fails and never throw, since `reconcile` repeats them. */
export interface WorkflowEngine {
  /** Starts the workflow, or tells the running one to read its row again. */
  poke<Input>(job: JobContract<Input>, input: Input): Promise<void>;
  /** Pokes for something that happens often: the first at once, then one trailing per 100 ms and id. */
  wake<Input>(job: JobContract<Input>, input: Input): void;
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
