import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { AnalyticsActivities } from './analytics.activities.ts';

const { computeWantedFigures } = heartbeatingActivities<AnalyticsActivities>({
  startToCloseTimeout: '1 hour',
  // `foldFigures` starts it again within a minute.
  retry: retries.untilNextRun,
});

/** Computes the figures that requests of a project have got as estimates, until none is wanted. */
export async function computeFigures({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    await computeWantedFigures(projectId);
    if (signals.count === seen) return;
  }
  await continueAsNew<typeof computeFigures>({ projectId });
}
