import { type TaskQueue, taskQueues } from '@postrider/core/base/kernel';
import { startTemporal } from '@postrider/local/temporal-server';
import { timeSkippingServer } from '@postrider/local/time-skipping-server';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { finalErrors } from '../final-errors.ts';
import { heartbeats } from '../heartbeats.ts';
import { workflowBundle } from '../workflow-bundle.ts';
import { createHistoryRecorder } from './history-recorder.ts';

const startAttempts = 5;

export type ServerEnvironment = TestWorkflowEnvironment & { address: string };

/** Temporal's development server, which supports schedules and updates but cannot skip time. */
export async function createServerEnvironment(): Promise<ServerEnvironment> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { address, stop } = await startTemporal();
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address });
  const closeConnections = environment.teardown.bind(environment);
  return Object.assign(environment, {
    address,
    async teardown() {
      await closeConnections();
      await stop();
    },
  });
}

/** A Temporal server that skips waits: days pass in milliseconds. */
export async function createTimeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const executable = await timeSkippingServer();
  // The SDK gives the server 5 seconds to start, which is not always enough for a Java process beside other tests.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    } catch (error) {
      if (attempt === startAttempts) throw error;
    }
  }
}

/**
 * Runs `work` beside a worker of the control queue with these activities, and workers of other queues with theirs.
 * `npm run histories` records the histories of the workflows.
 */
export async function withWorker<T>(
  environment: TestWorkflowEnvironment,
  activities: object,
  work: () => Promise<T>,
  others: Partial<Record<TaskQueue, object>> = {},
): Promise<T> {
  const recorder = createHistoryRecorder();
  const shared = {
    connection: environment.nativeConnection,
    interceptors: {
      activity: [...recorder.interceptors.activity, ...heartbeats.activity, ...finalErrors.activity],
    },
  };
  const control = await Worker.create({
    ...shared,
    taskQueue: taskQueues.control,
    workflowBundle: await workflowBundle(console),
    activities,
  });
  let running = (): Promise<T> => control.runUntil(work);
  for (const [taskQueue, own] of Object.entries(others)) {
    const workflows =
      taskQueue === taskQueues.executions ? { workflowBundle: await workflowBundle(console) } : {};
    const worker = await Worker.create({ ...shared, ...workflows, taskQueue, activities: own });
    const inner = running;
    running = () => worker.runUntil(inner);
  }
  return recorder.saveAfter(environment.client, running);
}
