import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** Watches the DNS records of one domain as long as it exists (behaviour B3.5). */
export const watchDomainJob: JobContract<{ domainId: string }> = {
  workflow: 'watchDomain',
  taskQueue: 'control',
  id: ({ domainId }) => `domain/${domainId}`,
};

/** Update of `watchDomain` that makes a check now and returns when it is recorded. */
export const checkUpdate = 'check';
