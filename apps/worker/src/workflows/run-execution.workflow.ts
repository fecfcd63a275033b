import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WorkflowActivities } from './workflows.activities.ts';

const pokeSignal = defineSignal('poke');

const { takeTurn } = proxyActivities<Pick<WorkflowActivities, 'takeTurn'>>({
  startToCloseTimeout: '2 minutes',
  // An execution never fails because the database was away: the turn is taken when it is back.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/** One contact's way through a customer's workflow. The rows say where it stands; this only waits and asks again. */
export async function runExecution({ executionId }: { executionId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = pokes;
    const turn = await takeTurn(executionId);
    if (turn.kind === 'again') continue;
    if (turn.kind === 'end') {
      if (pokes > seen) continue;
      return;
    }
    if (turn.until === null) await condition(() => pokes > seen);
    else await condition(() => pokes > seen, Math.max(1, turn.until - Date.now()));
  }
  await continueAsNew<typeof runExecution>({ executionId });
}
