import type { Services } from '../../base/kernel/index.ts';
import { holdWaiting, stopCampaign } from '../../mail/ledger/index.ts';

/** For how long batches are held at once; the others are held as they are claimed, and every minute. */
const holdingMs = 1_500;

/**
 * Has nothing more of a paused campaign begin, to be called after the commit of the pause: what is claimed from now on reads the pause, what is
 * claimed already is stopped, and what waits is held.
 */
export async function holdCampaign(
  { database: { prisma } }: Pick<Services, 'database'>,
  campaign: { projectId: string; campaignId: string },
): Promise<void> {
  await stopCampaign(prisma, campaign.campaignId);
  const begun = performance.now();
  while ((await holdWaiting(prisma, campaign)) > 0) if (performance.now() - begun > holdingMs) break;
}
