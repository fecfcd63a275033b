import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ContactActivities } from './contacts.activities.ts';

const { fillSomeConsentLog } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '30 minutes',
  retry: retries.untilNextRun,
});

/** Calls per run, of 10 seconds each; the next run is a minute later. */
const calls = 100;

/** Started by `reconcile` until the contacts of earlier versions are in the consent log (behaviour B12.4). */
export async function fillConsentLog(): Promise<void> {
  for (let call = 0; call < calls; call += 1) if (!(await fillSomeConsentLog())) return;
}
