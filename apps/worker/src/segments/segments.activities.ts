import { computeIfDue, refreshTouched } from '@postrider/core/audience/segments';
import type { Services } from '@postrider/core/base/kernel';

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
