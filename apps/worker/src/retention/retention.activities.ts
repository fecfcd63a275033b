import type { Services } from '@postrider/core/base/kernel';
import { tendSlices } from '@postrider/core/base/slices';
import { runSweeps } from './run-sweeps.ts';
import { sweeps } from './sweeps.ts';

export interface RetentionActivities {
  /** Removes expired rows for some minutes. @returns how many; 0 when no expired row is left */
  sweepBatch(): Promise<number>;
  /** Cuts and drops slices of large tables. @returns whether a cut waits for its locks */
  tendSlices(): Promise<boolean>;
}

/** Half of the time that the activity may take. */
const budgetMs = 300_000;

export const createRetentionActivities = (services: Services): RetentionActivities => ({
  sweepBatch: () => runSweeps(services, sweeps, budgetMs),
  tendSlices: () => tendSlices(services),
});
