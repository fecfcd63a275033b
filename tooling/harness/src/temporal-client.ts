import { Client, Connection } from '@temporalio/client';

export interface TemporalClient {
  /** The number of open runs of that workflow type. */
  countRunning(workflowType: string): Promise<number>;
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
    runSchedule: (id) => client.schedule.getHandle(id).trigger(),
    close: () => connection.close(),
  };
}
