import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Removes the data of a project that was reset or deleted. */
export const removeDataJob = defineJob({
  workflow: 'removeData',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `removal/${projectId}`,
});

/** Gives stored addresses of earlier versions their normal form. */
export const normalizeAddressesJob = defineJob({
  workflow: 'normalizeAddresses',
  taskQueue: taskQueues.control,
  id: (_: undefined) => 'normalize-addresses',
});
