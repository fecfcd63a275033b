import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { RetentionActivities } from './retention.activities.ts';

const { sweepBatch } = heartbeatingActivities<RetentionActivities>({
  startToCloseTimeout: '10 minutes',
  retry: retries.untilNextRun,
});

/** Most batches per run; the next run continues an hour later. */
const batches = 100;

/** Runs every hour: removes data whose retention has ended (behaviour B8.5). */
export async function sweep(): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) if ((await sweepBatch()) === 0) return;
}
