/**
 * The reference for executions: a bare Temporal workflow on the same server, with activities that do nothing. Client
 * and worker share one process, as they do in the product, and the worker has the same concurrency.
 */
import { fileURLToPath } from 'node:url';
import { newId } from '@postrider/core/base/lib';
import { answerParent } from '@postrider/harness/answering-process';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';

export interface BareRun {
  executions: number;
  /** per execution, one after another */
  activities: number;
}

export interface BareFigures {
  /** from the first start request to the end of the last activity */
  seconds: number;
}

/** The number of concurrent starts, the same as in the product. */
const lanes = 25;
const taskQueue = 'bare';
const address = process.env.TEMPORAL_ADDRESS ?? '';

Runtime.install({ shutdownSignals: [] });

let left = 0;
let onLast: () => void = () => undefined;

const connection = await Connection.connect({ address });
const client = new Client({ connection });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./bare-execution.workflow.ts', import.meta.url)),
  activities: {
    nothing: async () => {
      left -= 1;
      if (left === 0) onLast();
      return { kind: 'end' };
    },
  },
});
worker.run().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

answerParent(run);

async function run({ executions, activities }: BareRun): Promise<BareFigures> {
  left = executions * activities;
  const ended = new Promise<void>((resolve) => {
    onLast = resolve;
  });
  const ids = Array.from({ length: executions }, newId).values();
  const begun = performance.now();
  const lane = async (): Promise<void> => {
    for (const executionId of ids) {
      await client.workflow.start('bareExecution', {
        taskQueue,
        workflowId: `bare/${executionId}`,
        args: [{ executionId, activities }],
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await ended;
  return { seconds: (performance.now() - begun) / 1_000 };
}
