import { Client, Connection } from '@temporalio/client';

export interface TemporalClient {
  /** The number of open runs of that workflow type. */
  countRunning(workflowType: string): Promise<number>;
  /** The number of open runs of all workflows. */
  countOpen(): Promise<number>;
  /** Starts a workflow that no worker takes, so that it stays open. */
  startIdle(id: string): Promise<void>;
  /** Starts the workflow of a schedule now. */
  runSchedule(id: string): Promise<void>;
  close(): Promise<void>;
}

export function createTemporalClient(address: string): TemporalClient {
  const connection = Connection.lazy({ address });
  const client = new Client({ connection });

  return {
    async countRunning(workflowType) {
      const { count } = await client.workflow.count(
        `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running'`,
      );
      return count;
    },
    countOpen: async () => (await client.workflow.count(`ExecutionStatus = 'Running'`)).count,
    async startIdle(id) {
      await client.workflow.start('idle', { taskQueue: 'idle', workflowId: id });
    },
    runSchedule: (id) => client.schedule.getHandle(id).trigger(),
    close: () => connection.close(),
  };
}
