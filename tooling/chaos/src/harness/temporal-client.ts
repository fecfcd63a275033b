import { Client, Connection } from '@temporalio/client';

/** The size of one workflow run's history so far. Temporal's limits are 51,200 events and 10,000 signals. */
export interface RunHistory {
  runId: string;
  status: string;
  events: number;
  signals: number;
  bytes: number;
}

export interface TemporalClient {
  /** All runs with that id, including those that were continued as new. */
  histories(workflowId: string): Promise<RunHistory[]>;
  /** Whether a run with that id is open. */
  isRunning(workflowId: string): Promise<boolean>;
  /** The number of open runs of that workflow type. */
  countRunning(workflowType: string): Promise<number>;
  close(): Promise<void>;
}

export const temporalLimits = { events: 51_200, signals: 10_000 } as const;

export function createTemporalClient(address: string): TemporalClient {
  const connection = Connection.lazy({ address });
  const client = new Client({ connection });
  const list = (query: string) => client.workflow.list({ query });

  return {
    async histories(workflowId) {
      const found: RunHistory[] = [];
      for await (const run of list(`WorkflowId = '${workflowId}'`)) {
        const history = await client.workflow.getHandle(workflowId, run.runId).fetchHistory();
        const events = history.events ?? [];
        found.push({
          runId: run.runId,
          status: run.status.name,
          events: events.length,
          signals: events.filter((event) => event.workflowExecutionSignaledEventAttributes).length,
          bytes: run.historySize ?? 0,
        });
      }
      return found;
    },
    async isRunning(workflowId) {
      for await (const _run of list(`WorkflowId = '${workflowId}' AND ExecutionStatus = 'Running'`))
        return true;
      return false;
    },
    async countRunning(workflowType) {
      const { count } = await client.workflow.count(
        `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running'`,
      );
      return count;
    },
    close: () => connection.close(),
  };
}
