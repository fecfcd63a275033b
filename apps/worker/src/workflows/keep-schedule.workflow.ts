import { defineSignal, setHandler } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const pokeSignal = defineSignal('poke');

const { alignSchedule } = watchedActivities<Pick<WorkflowActivities, 'alignSchedule'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/** Brings the engine's schedule of one customer workflow in line with its row; one at a time, the last change wins. */
export async function keepSchedule({ workflowId }: { workflowId: string }): Promise<void> {
  let pokes = 1;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  for (let seen = 0; seen < pokes; ) {
    seen = pokes;
    await alignSchedule(workflowId);
  }
}
