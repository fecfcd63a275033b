import { defineJob, taskQueues } from '../kernel/kernel.jobs.ts';

/** Watches the DNS records of one domain as long as it exists (behaviour B3.5). */
export const watchDomainJob = defineJob({
  workflow: 'watchDomain',
  taskQueue: taskQueues.control,
  id: ({ domainId }: { domainId: string }) => `domain/${domainId}`,
});

/** Update of `watchDomain` that makes a check now and returns when it is recorded. */
export const checkUpdate = 'check';
