import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const { dispatchEventBatch } = heartbeatingActivities<Pick<WorkflowActivities, 'dispatchEventBatch'>>({
  startToCloseTimeout: '5 minutes',
  retry: retries.prompt,
});

/** One workflow run accepts a limited number of signals. */
const signalsPerRun = 1_000;

/** The dispatcher of the version before. It stays for one version, and ends at once: runners dispatch the events. */
export async function dispatchEvents({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  while (signals.count < signalsPerRun && !workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    const taken = await dispatchEventBatch(projectId);
    if (taken === 0 && signals.count === seen) return;
  }
  await continueAsNew<typeof dispatchEvents>({ projectId });
}
