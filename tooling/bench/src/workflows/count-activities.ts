import { Client, Connection } from '@temporalio/client';

/** The number of activities per execution, counted in their Temporal histories. @throws Error if it differs between them */
export async function countActivities(address: string, executionIds: readonly string[]): Promise<number> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const counts = await Promise.all(
      executionIds.map(async (id) => {
        const { events } = await workflow.getHandle(`execution/${id}`).fetchHistory();
        return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
      }),
    );
    const [first, ...others] = new Set(counts);
    if (first === undefined || others.length > 0)
      throw new Error(`Executions differ in their activities: ${counts.join(', ')}`);
    return first;
  } finally {
    await connection.close();
  }
}
