import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Imports the rows of one CSV file, batch by batch. */
export const importContactsJob = defineJob({
  workflow: 'importContacts',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `import/${jobId}`,
});

/** Subscribes, unsubscribes or deletes the contacts of one bulk change, batch by batch. */
export const changeContactsJob = defineJob({
  workflow: 'changeContacts',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `bulk/${jobId}`,
});
