import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { SendingActivities } from './sending.activities.ts';

const pokeSignal = defineSignal('poke');

/** One long activity per turn. Its end is decided inside; the heartbeat only finds workers that went away. */
const deliveryTimeouts = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
} as const;

const { deliverDirect } = watchedActivities<Pick<SendingActivities, 'deliverDirect'>>({
  ...deliveryTimeouts,
  taskQueue: 'mail',
});
const { deliverBulk } = watchedActivities<Pick<SendingActivities, 'deliverBulk'>>({
  ...deliveryTimeouts,
  taskQueue: 'mail-bulk',
});

const wakesPerRun = 500;

/**
 * Drains one project's outbox: a lane for mail that somebody waits for, and one for campaigns. Wakes are counted, and a
 * lane looks again while there are wakes that it has not seen.
 */
export async function drainOutbox({ projectId }: { projectId: string }): Promise<void> {
  let wakes = 1;
  const idle = { direct: false, bulk: false };
  setHandler(pokeSignal, () => {
    wakes += 1;
  });
  const shouldContinueAsNew = (): boolean => wakes > wakesPerRun || workflowInfo().continueAsNewSuggested;

  async function lane(name: keyof typeof idle, deliver: SendingActivities['deliverDirect']): Promise<void> {
    let seen = 0;
    while (!shouldContinueAsNew()) {
      idle[name] = false;
      seen = wakes;
      const { nextDueAt } = await deliver({ projectId });
      const dueIn = nextDueAt === null ? null : nextDueAt - Date.now();
      if (dueIn !== null && dueIn <= 0) continue;
      if (wakes > seen) continue;
      if (dueIn !== null) {
        await condition(() => wakes > seen, dueIn);
        continue;
      }
      idle[name] = true;
      await condition(() => wakes > seen || (idle.direct && idle.bulk));
      if (wakes === seen) return;
    }
  }

  await CancellationScope.cancellable(() =>
    Promise.all([lane('direct', deliverDirect), lane('bulk', deliverBulk)]).then(() => undefined),
  );
  if (shouldContinueAsNew()) await continueAsNew<typeof drainOutbox>({ projectId });
}
