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

/** Converts the stored values of a defined field, batch by batch, once all processes know the definition. */
export const convertFieldJob = defineJob({
  workflow: 'convertField',
  taskQueue: taskQueues.control,
  id: ({ definitionId }: { definitionId: string }) => `convert-field/${definitionId}`,
});
