import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { RemovalActivities } from './removal.activities.ts';

const { normalizeSomeAddresses } = heartbeatingActivities<RemovalActivities>({
  startToCloseTimeout: '5 minutes',
  retry: retries.untilNextRun,
});

/** Calls per run, of 10 seconds each; the next run is a minute later. */
const calls = 100;

/** Started every minute until the addresses of earlier versions are in their normal form (behaviour B1.1). */
export async function normalizeAddresses(): Promise<void> {
  for (let call = 0; call < calls; call += 1) if (!(await normalizeSomeAddresses())) return;
}
