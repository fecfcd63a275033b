/** What core and the workflows agree on: queues, the one signal, and the contract of a job. Imports nothing, so workflows may use it. */

/** Every Temporal task queue. */
export const taskQueues = {
  /** workflows and short activities */
  control: 'control',
  /** executions of customer workflows: thousands may start at once and must not delay mail or campaigns */
  executions: 'executions',
  /** activities that call a customer's host, which may never answer */
  webhooks: 'webhooks',
} as const;

export type TaskQueue = (typeof taskQueues)[keyof typeof taskQueues];

/** Queues whose workers run workflows; the others run activities alone. */
export type WorkflowQueue = Extract<TaskQueue, 'control' | 'executions'>;

/** The one signal of every workflow: read your row again. The name is part of recorded histories. */
export const readRowSignal = 'poke';

/** How core reaches a durable workflow: its name, queue and id. Input is ids, never data. */
export interface JobContract<Input, Name extends string = string> {
  /** name of the workflow function that the worker exports */
  readonly workflow: Name;
  readonly taskQueue: WorkflowQueue;
  /** deterministic, may be used again: the row decides whether there is anything to do */
  readonly id: (input: Input) => string;
  /** never set: makes a contract match only a workflow with exactly this input */
  readonly input?: Input;
}

/** The worker checks the contract against the workflow itself (`apps/worker/src/jobs.test.ts`). */
export const defineJob = <const Name extends string, Input>(
  contract: JobContract<Input, Name>,
): JobContract<Input, Name> => contract;
