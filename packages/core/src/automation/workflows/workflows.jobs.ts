import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Drives the projects of one shard: a worker process serves what becomes due there at once. */
export const driveExecutionsJob = defineJob({
  workflow: 'driveExecutions',
  taskQueue: taskQueues.executions,
  id: ({ shard }: { shard: number }) => `executions/${shard}`,
});

/** Keeps the Temporal Schedule of a SCHEDULE workflow in line with its row; signalled when its trigger, `enabled` or existence changes. */
export const keepScheduleJob = defineJob({
  workflow: 'keepSchedule',
  taskQueue: taskQueues.control,
  id: ({ workflowId }: { workflowId: string }) => `schedule/${workflowId}`,
});

/** Rewrites the executions whose place or time a publish has changed, batch by batch. */
export const moveExecutionsJob = defineJob({
  workflow: 'moveExecutions',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `move-executions/${jobId}`,
});

/** Cancels, retries or removes many executions of a workflow, batch by batch. */
export const changeExecutionsJob = defineJob({
  workflow: 'changeExecutions',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `change-executions/${jobId}`,
});
