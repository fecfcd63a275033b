import { fileURLToPath } from 'node:url';
import { timeSkippingServer } from '@postrider/local/time-skipping-server';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';

let bundle: Promise<WorkflowBundle> | undefined;

/** The bundle that workers run, made once per test file. */
export function workflowBundle(): Promise<WorkflowBundle> {
  bundle ??= bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  return bundle;
}

const startAttempts = 5;

/** A Temporal server whose clock jumps over waits: days of delay in milliseconds. */
export async function createTimeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const executable = await timeSkippingServer();
  // The SDK gives the server 5 seconds to start, which a Java machine does not always manage beside other tests.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    } catch (error) {
      if (attempt === startAttempts) throw error;
    }
  }
}

/** Runs `work` beside a worker of the control queue with these activities. */
export async function withWorker<T>(
  environment: TestWorkflowEnvironment,
  activities: object,
  work: () => Promise<T>,
): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: 'control',
    workflowBundle: await workflowBundle(),
    activities,
  });
  return worker.runUntil(work);
}
