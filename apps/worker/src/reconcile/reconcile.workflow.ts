import { watchedActivities } from '../watched-activities.ts';
import type { ReconcileActivities } from './reconcile.activities.ts';

const { repeatHints } = watchedActivities<ReconcileActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** Runs every minute: whatever a lost hint should have started is visible in a row, and is started from there. */
export async function reconcile(): Promise<void> {
  await repeatHints();
}
