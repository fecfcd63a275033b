import { Rounds } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { burstMs, storeVerdicts } from './interactions.store.ts';

/** How often a process looks for clicks that another one has stored. Less than clicks wait, so that it knows each before it is due. */
const idleMs = 1_000;
const shortestMs = 20;

/** Gives the clicks that are due their effects. @returns time until the next one is due; null when none waits */
export async function judgeClicks(services: Services, { waitMs = burstMs } = {}): Promise<number | null> {
  for (;;) {
    const { judged, nextMs, projects } = await storeVerdicts(services.database.grouped, waitMs);
    for (const projectId of projects) services.scheduleFollowUps(projectId);
    if (judged === 0 || (nextMs ?? 1) > 0) return nextMs;
  }
}

/** Judges clicks while its process runs. Each process does, whichever stored them, so that one that is killed loses none. */
export const createClickJudge = (services: Services): Rounds =>
  new Rounds({
    ...{ log: services.log, failure: 'clicks could not be judged', idleMs, shortestMs },
    round: () => judgeClicks(services),
  });
