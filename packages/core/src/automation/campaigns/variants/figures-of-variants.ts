import type { Db } from '../../../base/db/index.ts';
import type { CountedCampaign } from '../campaigns.store.ts';
import { readCounted } from './read-results.ts';
import { testStatsOf } from './test-stats.ts';

/** What each variant of a campaign did, and the rest; empty for a campaign without a test, and before its audience is frozen. */
export async function figuresOfVariants(db: Db, campaign: CountedCampaign) {
  if (campaign.test === null || campaign.frozenAt === null) return [];
  const counted = await readCounted(db, campaign.projectId, [campaign]);
  return testStatsOf(campaign, counted(campaign.id))?.variants ?? [];
}
