import { checkUpdate } from '@postrider/core/people/domains/jobs';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { DomainActivities } from './domains.activities.ts';

const checkNow = defineUpdate<void>(checkUpdate);

const { readDomain, checkRecords, failMailOfDomain } = heartbeatingActivities<DomainActivities>({
  startToCloseTimeout: '30 seconds',
  retry: retries.endless,
});

const longestSleepMs = 30 * 86_400_000;
/** A pending domain is checked every 5 minutes; a new run every few hours keeps histories small. */
const roundsPerRun = 50;

/** Watches the DNS records of one domain as long as it exists. Its row holds the time of the next check. */
export async function watchDomain({ domainId }: { domainId: string }): Promise<void> {
  const signals = countSignals();
  let checks = 0;
  setHandler(checkNow, async () => {
    await checkRecords(domainId, true);
    checks += 1;
  });
  /** Reasons to read the row again. */
  const changes = (): number => signals.count + checks;
  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    const seen = changes();
    const domain = await readDomain(domainId);
    if (domain === null) {
      await failMailOfDomain(domainId);
      if (changes() > seen) continue;
      await condition(allHandlersFinished);
      return;
    }
    if (domain.nextCheckAt === null) {
      await condition(() => changes() > seen);
      continue;
    }
    const dueIn = domain.nextCheckAt - Date.now();
    if (dueIn > 0) await condition(() => changes() > seen, Math.min(longestSleepMs, dueIn));
    else await checkRecords(domainId, false);
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof watchDomain>({ domainId });
}
