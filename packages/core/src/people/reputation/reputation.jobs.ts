import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Checks the bounce and complaint levels of a project, and disables it when one is critical. */
export const checkReputationJob = defineJob({
  workflow: 'checkReputation',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `reputation/${projectId}`,
});
