import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { RemovalActivities } from './removal.activities.ts';

const { removeProjectData } = heartbeatingActivities<RemovalActivities>({
  startToCloseTimeout: '5 minutes',
  retry: retries.endless,
});

/** Removes the data of a project that was reset or deleted (behaviour B4.17), until nothing of it is left. */
export async function removeData({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    const more = await removeProjectData(projectId);
    if (!more && signals.count === seen) return;
  }
  await continueAsNew<typeof removeData>({ projectId });
}
