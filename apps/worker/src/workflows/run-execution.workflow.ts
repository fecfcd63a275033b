import { condition, continueAsNew, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { TurnActivities, WebhookActivities } from './workflows.activities.ts';

const pokeSignal = defineSignal('poke');

// An execution never fails because the database was away: the turn is taken when it is back.
const retry = {
  initialInterval: '500 milliseconds',
  maximumInterval: '30 seconds',
  backoffCoefficient: 2,
} as const;

const { takeTurn } = watchedActivities<TurnActivities>({
  startToCloseTimeout: '2 minutes',
  retry,
});

const { takeCallingTurn } = watchedActivities<WebhookActivities>({
  // Requests of the customer's hosts have slots of their own: those that never answer hold up nobody but each other.
  taskQueue: 'webhooks',
  startToCloseTimeout: '3 minutes',
  retry,
});

/** One contact's way through a customer's workflow. The rows say where it stands; this only waits and asks again. */
export async function runExecution({ executionId }: { executionId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = pokes;
    let turn = await takeTurn(executionId);
    if (turn.kind === 'call') turn = await takeCallingTurn(executionId);
    if (turn.kind === 'again' || turn.kind === 'call') continue;
    if (turn.kind === 'end') {
      if (pokes > seen) continue;
      return;
    }
    if (turn.until === null) await condition(() => pokes > seen);
    else await condition(() => pokes > seen, Math.max(1, turn.until - Date.now()));
  }
  await continueAsNew<typeof runExecution>({ executionId });
}
