import { type Services, systemContext } from '../../base/kernel/index.ts';
import { debouncePerKey } from '../../base/lib/debounce.ts';
import { judge } from './guard.store.ts';
import { pauseByGuard } from './pause-by-guard.ts';

/** Pauses a campaign if its guard says so. Any number of processes may ask, however often. @returns whether it was paused */
export async function guardCampaign(services: Services, campaignId: string): Promise<boolean> {
  const judged = await judge(services.database.prisma, campaignId);
  if (!judged) return false;
  const { projectId, reason } = judged;
  const { changed } = await pauseByGuard.run(systemContext(services), { id: campaignId, projectId });
  if (changed) services.log.warn({ projectId, campaignId, reason }, 'the guard of a campaign has paused it');
  return changed;
}

/** The pause between two looks of a process at a campaign that it sends. */
const pauseMs = 250;

/** Looks at campaigns whose counters have changed, each a few times a second at most. */
export const createGuard = (services: Services): ((campaignId: string) => void) =>
  debouncePerKey(
    async (campaignId: string) => {
      try {
        await guardCampaign(services, campaignId);
      } catch (error) {
        services.log.warn({ err: error, campaignId }, 'the guard of a campaign could not look at it');
      }
    },
    { keyOf: (campaignId) => campaignId, pauseMs: () => pauseMs },
  );
