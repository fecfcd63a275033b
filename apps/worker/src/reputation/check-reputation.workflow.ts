import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ReputationActivities } from './reputation.activities.ts';

const { checkProjectReputation } = heartbeatingActivities<ReputationActivities>({
  startToCloseTimeout: '5 minutes',
  retry: retries.prompt,
});

/** Checks the bounce and complaint levels of a project until nothing new has arrived. */
export async function checkReputation({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    const more = await checkProjectReputation(projectId);
    if (!more && signals.count === seen) return;
  }
  await continueAsNew<typeof checkReputation>({ projectId });
}
