import type { Db } from '../../base/db/index.ts';
import { sumOfCampaign } from './figures.store.ts';
import { placedCounts } from './placed-counts.rules.ts';
import { withRates } from './rates.rules.ts';

/** The figures of a campaign by mailbox provider, most emails sent first. */
export async function providersOfCampaign(db: Db, scope: { projectId: string; campaignId: string }) {
  const sums = await sumOfCampaign(db, scope, 'provider');
  return placedCounts(sums)
    .filter(({ sent, refused }) => sent + refused > 0)
    .toSorted((a, b) => b.sent - a.sent || (a.key < b.key ? -1 : 1))
    .map(({ key, ...counts }) => ({ provider: key, ...withRates(counts) }));
}
