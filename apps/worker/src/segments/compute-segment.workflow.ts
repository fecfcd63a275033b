import { defineSignal, setHandler } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { SegmentActivities } from './segments.activities.ts';

const pokeSignal = defineSignal('poke');

const { computeDueSegment } = watchedActivities<SegmentActivities>({
  startToCloseTimeout: '25 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/**
 * Computes one segment if its row says that it is due, and again for every poke that comes meanwhile. It does not wait for the
 * next time: `reconcile` finds that in the row.
 */
export async function computeSegment({ segmentId }: { segmentId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  let seen: number;
  do {
    seen = pokes;
    await computeDueSegment(segmentId);
  } while (pokes > seen);
}
