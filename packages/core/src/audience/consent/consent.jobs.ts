import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Brings contacts from before there was a consent log into it. */
export const fillConsentLogJob = defineJob({
  workflow: 'fillConsentLog',
  taskQueue: taskQueues.control,
  id: (_: undefined) => 'fill-consent-log',
});
