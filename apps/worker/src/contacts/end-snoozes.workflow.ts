import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ContactActivities } from './contacts.activities.ts';

const { wakeSnoozed } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '2 minutes',
  retry: retries.untilNextRun,
});

/** Batches per run; the next run is five minutes later. */
const batches = 200;

/** Runs every 5 minutes: contacts whose snooze has ended are subscribed again, and suppressions that have ended are removed. */
export async function endSnoozes(): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) if ((await wakeSnoozed()) === 0) return;
}
