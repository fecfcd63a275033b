import type { Services } from '@postrider/core/kernel';
import { computeIfDue, refreshTouched } from '@postrider/core/segments';

export interface SegmentActivities {
  computeDueSegment(segmentId: string): Promise<void>;
  /** one batch */
  refreshTouchedContacts(projectId: string): Promise<{ touched: number; done: number }>;
}

export const createSegmentActivities = (services: Services): SegmentActivities => ({
  async computeDueSegment(segmentId) {
    await computeIfDue(services, segmentId);
  },
  refreshTouchedContacts: (projectId) => refreshTouched(services, projectId),
});
