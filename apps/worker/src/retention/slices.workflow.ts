import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { RetentionActivities } from './retention.activities.ts';

const { tendSlices } = heartbeatingActivities<RetentionActivities>({
  // A statement of it reads a whole slice.
  startToCloseTimeout: '2 hours',
  retry: retries.untilNextRun,
});

/** Most calls per run, of 4 minutes each: longer than a cut is tried. */
const calls = 20;

/** Runs every day: cuts the slices of large tables, and drops those whose rows have all expired (behaviour B8.5). */
export async function slices(): Promise<void> {
  for (let call = 0; call < calls; call += 1) if (!(await tendSlices())) return;
}
