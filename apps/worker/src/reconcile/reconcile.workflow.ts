import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ReconcileActivities } from './reconcile.activities.ts';

const { repeatHints } = heartbeatingActivities<ReconcileActivities>({
  startToCloseTimeout: '1 minute',
  retry: retries.untilNextRun,
});

/** Runs every minute: whatever a lost hint should have started is visible in a row, and is started from there. */
export async function reconcile(): Promise<void> {
  await repeatHints();
}
