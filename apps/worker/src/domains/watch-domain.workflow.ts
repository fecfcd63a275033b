import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { DomainActivities } from './domains.activities.ts';

const pokeSignal = defineSignal('poke');
const checkUpdate = defineUpdate<void>('check');

const { readDomain, checkRecords, failMailOfDomain } = watchedActivities<DomainActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

const longestSleepMs = 30 * 86_400_000;
/** A run that waits for its record checks every 5 minutes; a new one every few hours keeps histories small. */
const roundsPerRun = 50;

/** Watches one domain's DNS records as long as it exists. When the next check is due stands in its row. */
export async function watchDomain({ domainId }: { domainId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  setHandler(checkUpdate, async () => {
    await checkRecords(domainId, true);
    pokes += 1;
  });
  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    const seen = pokes;
    const domain = await readDomain(domainId);
    if (domain === null) {
      await failMailOfDomain(domainId);
      if (pokes > seen) continue;
      await condition(allHandlersFinished);
      return;
    }
    if (domain.nextCheckAt === null) {
      await condition(() => pokes > seen);
      continue;
    }
    const dueIn = domain.nextCheckAt - Date.now();
    if (dueIn > 0) await condition(() => pokes > seen, Math.min(longestSleepMs, dueIn));
    else await checkRecords(domainId, false);
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof watchDomain>({ domainId });
}
