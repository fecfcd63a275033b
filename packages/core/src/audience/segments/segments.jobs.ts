import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** Computes a DYNAMIC segment that is due, changed or stale: membership of a tracked one, the count of another. */
export const computeSegmentJob = defineJob({
  workflow: 'computeSegment',
  taskQueue: taskQueues.control,
  id: ({ segmentId }: { segmentId: string }) => `segment/${segmentId}`,
});

/** Brings the tracked segments of a project up to date with changed contacts (TouchedContact) and stale segments. */
export const refreshMembershipJob = defineJob({
  workflow: 'refreshMembership',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `membership/${projectId}`,
});
