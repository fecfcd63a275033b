import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { detachEmails, isDetached, isDrained, skipWaiting, stopCampaign } from '../../mail/ledger/index.ts';
import { projectOfDeleted, readCampaign, removeCounters } from './campaigns.store.ts';

/** How much one transaction does: waiting batches that are skipped, of up to 500 emails each, and emails that are detached. */
const parts = {
  small: { batches: 2, emails: 1_000 },
  large: { batches: 10, emails: 5_000 },
} as const;

/**
 * Stops what delivery processes hold of a cancelled campaign and skips a part of what waits.
 *
 * @returns how many batches were skipped
 */
export async function skipBatch(services: Services, campaignId: string): Promise<number> {
  const { prisma } = services.database;
  const campaign = await readCampaign(prisma, campaignId);
  if (campaign?.status !== 'CANCELLED') return 0;
  await stopCampaign(prisma, campaignId);
  const reason = campaign.statusReason === 'project_disabled' ? 'project_disabled' : 'cancelled';
  return skipWaiting(prisma, { projectId: campaign.projectId, campaignId }, reason, parts.large.batches);
}

/**
 * Skips a part of the waiting emails of a deleted campaign and clears the campaign id of a part of its emails; removes its counters
 * at the end.
 *
 * @returns `held`: all that is left are batches that delivery processes hold
 */
export async function clearDeleted(
  db: Db,
  campaign: { projectId: string; campaignId: string },
  size: keyof typeof parts,
): Promise<'more' | 'held' | 'done'> {
  const { campaignId } = campaign;
  const { batches, emails } = parts[size];
  await stopCampaign(db, campaignId);
  const skipped = await skipWaiting(db, campaign, 'cancelled', batches);
  const detached = await detachEmails(db, campaignId, emails);
  if (!(await isDrained(db, campaignId))) return skipped + detached > 0 ? 'more' : 'held';
  if (!(await isDetached(db, campaignId))) return 'more';
  await removeCounters(db, campaignId);
  return 'done';
}

/** Clears a part of a deleted campaign. @returns whether there may be more */
export async function detachBatch(services: Services, campaignId: string): Promise<boolean> {
  const { prisma } = services.database;
  const projectId = await projectOfDeleted(prisma, campaignId);
  if (!projectId || (await readCampaign(prisma, campaignId))) return false;
  const state = await clearDeleted(prisma, { projectId, campaignId }, 'large');
  if (state === 'held') await sleep(1_000);
  return state !== 'done';
}
