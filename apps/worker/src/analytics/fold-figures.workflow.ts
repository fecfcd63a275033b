import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { AnalyticsActivities } from './analytics.activities.ts';

const { foldFiguresOnce } = heartbeatingActivities<AnalyticsActivities>({
  startToCloseTimeout: '30 minutes',
  retry: retries.untilNextRun,
});

/** Runs every minute: adds up what has been entered for the figures of analytics. */
export async function foldFigures(): Promise<void> {
  await foldFiguresOnce();
}
