import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Writes the file of one export, chunk by chunk. */
export const exportRecordsJob = defineJob({
  workflow: 'exportRecords',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `export/${jobId}`,
});
