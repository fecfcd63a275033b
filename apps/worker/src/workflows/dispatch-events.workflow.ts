import { continueAsNew, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const pokeSignal = defineSignal('poke');

const { dispatchEventBatch } = watchedActivities<Pick<WorkflowActivities, 'dispatchEventBatch'>>({
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds', backoffCoefficient: 2 },
});

/** Wakes are signals, of which one run of a workflow takes a limited number. */
const wakesPerRun = 1_000;

/** Takes a project's events to who waits for them until none is left. A wake that comes meanwhile is one more look. */
export async function dispatchEvents({ projectId }: { projectId: string }): Promise<void> {
  let wakes = 1;
  setHandler(pokeSignal, () => {
    wakes += 1;
  });
  while (wakes <= wakesPerRun && !workflowInfo().continueAsNewSuggested) {
    const seen = wakes;
    const taken = await dispatchEventBatch(projectId);
    if (taken === 0 && wakes === seen) return;
  }
  await continueAsNew<typeof dispatchEvents>({ projectId });
}
