import { defineJob, taskQueues } from '../kernel/kernel.jobs.ts';

/** Delivers the due email of one project's outbox. */
export const drainOutboxJob = defineJob({
  workflow: 'drainOutbox',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `outbox/${projectId}`,
});
