import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** Computes a DYNAMIC segment that is due, changed or stale: membership of a tracked one, the count of another. */
export const computeSegmentJob: JobContract<{ segmentId: string }> = {
  workflow: 'computeSegment',
  taskQueue: 'control',
  id: ({ segmentId }) => `segment/${segmentId}`,
};
