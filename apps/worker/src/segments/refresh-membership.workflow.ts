import { condition, continueAsNew, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { SegmentActivities } from './segments.activities.ts';

const pokeSignal = defineSignal('poke');

const { refreshTouchedContacts } = watchedActivities<SegmentActivities>({
  startToCloseTimeout: '25 minutes',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/** Follows touched contacts of one project into its tracked segments until none is left. */
export async function refreshMembership({ projectId }: { projectId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = pokes;
    const { touched, done } = await refreshTouchedContacts(projectId);
    if (touched === 0 && pokes === seen) return;
    // Somebody is writing these contacts in a long transaction.
    if (touched > 0 && done === 0) await condition(() => pokes > seen, '1 second');
  }
  await continueAsNew<typeof refreshMembership>({ projectId });
}
