import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** Imports the rows of one CSV file in batches. */
export const importContactsJob: JobContract<{ jobId: string }> = {
  workflow: 'importContacts',
  taskQueue: 'control',
  id: ({ jobId }) => `import/${jobId}`,
};

/** Subscribes, unsubscribes or deletes the contacts of one bulk change in batches. */
export const changeContactsJob: JobContract<{ jobId: string }> = {
  workflow: 'changeContacts',
  taskQueue: 'control',
  id: ({ jobId }) => `bulk/${jobId}`,
};
