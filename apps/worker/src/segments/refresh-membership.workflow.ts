import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { SegmentActivities } from './segments.activities.ts';

const { refreshTouchedContacts } = heartbeatingActivities<SegmentActivities>({
  startToCloseTimeout: '25 minutes',
  retry: retries.prompt,
});

/** Updates the tracked segments of one project for its changed contacts, until none is left. */
export async function refreshMembership({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    const { touched, done } = await refreshTouchedContacts(projectId);
    if (touched === 0 && signals.count === seen) return;
    // A long transaction still holds these contacts.
    if (touched > 0 && done === 0) await condition(() => signals.count > seen, '1 second');
  }
  await continueAsNew<typeof refreshMembership>({ projectId });
}
