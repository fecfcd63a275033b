import { defineJob, taskQueues } from '../kernel/kernel.jobs.ts';

/** Delivers what is due in one project's outbox. */
export const drainOutboxJob = defineJob({
  workflow: 'drainOutbox',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `outbox/${projectId}`,
});
