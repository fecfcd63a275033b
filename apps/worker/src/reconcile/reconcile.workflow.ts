import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ReconcileActivities } from './reconcile.activities.ts';

const { repeatHints } = heartbeatingActivities<ReconcileActivities>({
  startToCloseTimeout: '2 minutes',
  retry: retries.untilNextRun,
});

/** Runs every minute: finds work whose signal was lost by looking at rows, and starts it. */
export async function reconcile(): Promise<void> {
  await repeatHints();
}
