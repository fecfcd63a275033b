import { type JobContract, readRowSignal, type Services } from '@postrider/core/base/kernel';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

type Environment = Pick<TestWorkflowEnvironment, 'client'>;

const optionsOf = <Input>({ taskQueue, id }: JobContract<Input>, input: Input) => ({
  taskQueue,
  workflowId: id(input),
  args: [input],
});

/** Starts a workflow by its contract. */
export const startJob = <Input>({ client }: Environment, job: JobContract<Input>, input: Input) =>
  client.workflow.start(job.workflow, optionsOf(job, input));

/** Starts a workflow by its contract and waits for its end. */
export const executeJob = <Input>({ client }: Environment, job: JobContract<Input>, input: Input) =>
  client.workflow.execute(job.workflow, optionsOf(job, input));

/** Starts a workflow or signals the running one, as core does. */
export const signalJob = <Input>({ client }: Environment, job: JobContract<Input>, input: Input) =>
  client.workflow.signalWithStart(job.workflow, { ...optionsOf(job, input), signal: readRowSignal });

/** Services whose signals reach this environment at once; debounced signals are dropped. */
export const signalling = (environment: Environment, services: Services): Services => ({
  ...services,
  workflows: {
    ...services.workflows,
    async signal(job, input) {
      await signalJob(environment, job, input);
      return true;
    },
    signalDebounced: () => undefined,
  },
});
