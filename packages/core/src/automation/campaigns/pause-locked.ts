import type { Db } from '../../base/db/index.ts';
import { storeEvent } from '../../base/event-types/index.ts';
import type { PauseReason } from './campaigns.rules.ts';
import { type CampaignRow, changeCampaign, withCounters } from './campaigns.store.ts';

/** Pauses a campaign whose row is locked, and tells it. After the commit it is to be held (`holdCampaign`). */
export async function pauseLocked(
  db: Db,
  campaign: CampaignRow,
  { at, reason }: { at: Date; reason: PauseReason },
): Promise<void> {
  await changeCampaign(db, campaign.id, { pausedAt: at, pauseReason: reason });
  const [counted] = await withCounters(db, [campaign]);
  if (!counted) throw new Error('a campaign has no counters');
  const { sentCount, deliveredCount, bouncedCount, complainedCount, unsubscribedCount } = counted;
  const { failedCount, skippedCount, uncertainCount } = counted;
  const { acceptedCount, refusedCount, heldOutCount } = counted;
  await storeEvent(db, 'campaign.paused', campaign.projectId, {
    campaignId: campaign.id,
    campaignName: campaign.name,
    reason,
    totalRecipients: campaign.totalRecipients,
    ...{ sentCount, deliveredCount, bouncedCount, complainedCount, unsubscribedCount },
    ...{ failedCount, skippedCount, uncertainCount },
    ...{ acceptedCount, refusedCount, heldOutCount },
  });
}
