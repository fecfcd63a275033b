import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { BillingActivities } from './billing.activities.ts';

const { reportUsageOnce } = heartbeatingActivities<BillingActivities>({
  startToCloseTimeout: '30 minutes',
  retry: retries.untilNextRun,
});

/** Runs every hour: reports usage to the payment provider, if it bills by usage. */
export async function reportUsage(): Promise<void> {
  await reportUsageOnce();
}
