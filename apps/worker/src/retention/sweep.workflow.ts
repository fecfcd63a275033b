import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { RetentionActivities } from './retention.activities.ts';

const { sweepBatch } = heartbeatingActivities<RetentionActivities>({
  startToCloseTimeout: '10 minutes',
  retry: retries.untilNextRun,
});

/** Most calls per run, of some minutes each; while it runs, its schedule starts no other. */
const calls = 100;

/** Runs every hour: removes all data whose retention has ended (behaviour B8.5). */
export async function sweep(): Promise<void> {
  for (let call = 0; call < calls; call += 1) if ((await sweepBatch()) === 0) return;
}
