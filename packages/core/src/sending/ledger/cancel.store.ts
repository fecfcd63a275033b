import type { Db } from '../../db/index.ts';

/**
 * Stops the held batches of a campaign: nothing more of them begins. To be called after the commit of the cancellation: what is claimed later
 * reads the new status of the campaign.
 */
export async function stopCampaign(_db: Db, _campaignId: string): Promise<void> {
  throw new Error('in work');
}

/** Skips the emails of at most `limit` waiting batches of a campaign. @returns how many batches */
export async function skipWaiting(
  _db: Db,
  _campaign: { projectId: string; campaignId: string },
  _reason: string,
  _limit: number,
): Promise<number> {
  throw new Error('in work');
}

/** Whether all emails of a campaign are settled: it has no batch. */
export async function isDrained(_db: Db, _campaignId: string): Promise<boolean> {
  throw new Error('in work');
}
