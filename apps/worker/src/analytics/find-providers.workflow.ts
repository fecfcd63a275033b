import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { AnalyticsActivities } from './analytics.activities.ts';

const { findProvidersOnce } = heartbeatingActivities<AnalyticsActivities>({
  startToCloseTimeout: '30 minutes',
  retry: retries.untilNextRun,
});

/** Runs every minute: finds the mailbox providers of new contacts' domains. */
export async function findProviders(): Promise<void> {
  await findProvidersOnce();
}
