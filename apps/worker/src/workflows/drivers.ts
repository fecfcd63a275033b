import { driveExecutionsJob, shards } from '@postrider/core/automation/workflows';
import type { Client } from '@temporalio/client';

/** The Temporal workflows that drive the shards. */
export interface Drivers {
  /** Starts those that do not run. @returns how many there are */
  ensure(): Promise<number>;
}

/**
 * Nothing is signalled: a driver that runs is left alone. Starting one is a transaction of the server even if it runs, so they are counted first. The
 * count may be some seconds old.
 */
export const createDrivers = ({ workflow }: Pick<Client, 'workflow'>): Drivers => ({
  async ensure() {
    const { workflow: name, taskQueue, id } = driveExecutionsJob;
    const { count } = await workflow.count(`WorkflowType = '${name}' AND ExecutionStatus = 'Running'`);
    if (count === shards) return shards;
    for (let shard = 0; shard < shards; shard += 1)
      await workflow.start(name, {
        taskQueue,
        workflowId: id({ shard }),
        args: [{ shard }],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    return shards;
  },
});
