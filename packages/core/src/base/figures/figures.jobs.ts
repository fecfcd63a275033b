import { defineJob, taskQueues } from '../kernel/kernel.jobs.ts';

/** Computes the figures of a project that requests have got as estimates. */
export const computeFiguresJob = defineJob({
  workflow: 'computeFigures',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `figures/${projectId}`,
});
