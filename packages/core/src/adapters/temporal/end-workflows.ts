import type { TemporalOptions } from './temporal-client.ts';

/**
 * Ends all running workflows of a type on a Temporal server, which it finds by their visibility: those that have started a moment ago may be missed.
 *
 * @param before is called with the id of each before it ends
 * @returns how many
 */
export async function endWorkflows(
  { address, namespace, apiKey }: Pick<TemporalOptions, 'address' | 'namespace' | 'apiKey'>,
  workflow: string,
  before: (workflowId: string) => Promise<void>,
): Promise<number> {
  const { Client, Connection, WorkflowNotFoundError } = await import('@temporalio/client');
  const connection = await Connection.connect({ address, ...(apiKey && { tls: true, apiKey }) });
  try {
    const { workflow: workflows } = new Client({ connection, namespace });
    let ended = 0;
    const query = `WorkflowType = '${workflow}' AND ExecutionStatus = 'Running'`;
    for await (const { workflowId, runId } of workflows.list({ query })) {
      await before(workflowId);
      try {
        await workflows.getHandle(workflowId, runId).terminate('of an earlier version');
        ended += 1;
      } catch (error) {
        // It ended by itself.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    }
    return ended;
  } finally {
    await connection.close();
  }
}
