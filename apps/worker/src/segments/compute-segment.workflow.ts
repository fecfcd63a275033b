import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { SegmentActivities } from './segments.activities.ts';

const { computeDueSegment } = heartbeatingActivities<SegmentActivities>({
  startToCloseTimeout: '25 minutes',
  retry: retries.endless,
});

/**
 * Computes one segment if it is due by its row, and again for every signal that arrives in the meantime. It does not
 * wait for the next due time: `reconcile` finds that in the row.
 */
export async function computeSegment({ segmentId }: { segmentId: string }): Promise<void> {
  const signals = countSignals();
  let seen: number;
  do {
    seen = signals.count;
    await computeDueSegment(segmentId);
  } while (signals.count > seen);
}
