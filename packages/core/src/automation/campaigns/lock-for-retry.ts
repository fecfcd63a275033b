import type { Db } from '../../base/db/index.ts';
import { conflict, suggestions } from '../../base/kernel/index.ts';
import { lockFreeze, tryLockFreeze } from '../../mail/ledger/index.ts';
import { type CampaignRow, findPlace, lockCampaign } from './campaigns.store.ts';
import { familyOf, isAlone } from './family.store.ts';

/**
 * Locks a campaign whose emails are put back into the queue. In a family, no other campaign is frozen before the transaction ends: a
 * contact whose email has failed here may be about to get one there. The lock of the freeze comes first, as in a freeze.
 *
 * @param projectId of a request; null in the background, where only the id is known, and where a freeze is waited for
 * @throws AppError CONFLICT when a request would have to wait
 */
export async function lockForRetry(
  db: Db,
  projectId: string | null,
  id: string,
): Promise<CampaignRow | null> {
  const take = projectId === null ? lockFreeze : lockAtOnce;
  const before = await findPlace(db, projectId, id);
  const wasAlone = before === null || (await isAlone(db, before));
  if (!wasAlone) await take(db, familyOf(before));
  const campaign = await lockCampaign(db, projectId, id);
  // A sequel that was made in between is of a campaign whose own freeze has ended, so that no freeze waits for this row.
  if (campaign && wasAlone && !(await isAlone(db, campaign))) await take(db, familyOf(campaign));
  return campaign;
}

async function lockAtOnce(db: Db, family: string): Promise<void> {
  if (await tryLockFreeze(db, family)) return;
  throw conflict('A campaign of the same family is being started', {
    suggestion: suggestions.CONFLICT.familyStarts,
  });
}
