import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Watches the DNS records of one domain until it is deleted (behaviour B3.5). */
export const watchDomainJob = defineJob({
  workflow: 'watchDomain',
  taskQueue: taskQueues.control,
  id: ({ domainId }: { domainId: string }) => `domain/${domainId}`,
});

/** Update of `watchDomain` that checks now and returns when the result is stored. */
export const checkUpdate = 'check';
