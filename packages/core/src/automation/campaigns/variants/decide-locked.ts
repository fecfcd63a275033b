import type { Db } from '../../../base/db/index.ts';
import { storeEvent } from '../../../base/event-types/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import {
  identifyRest,
  releaseHeldBatches,
  rewriteContent,
  signalBulkDelivery,
} from '../../../mail/ledger/index.ts';
import { type CampaignRow, changeCampaign } from '../campaigns.store.ts';
import { testOf } from './present-test.ts';
import { contentOfVariant, numberOfKey, type TestDecider, type VariantKey } from './variants.rules.ts';

interface Decision {
  winner: VariantKey;
  by: TestDecider;
  /** null when a person decided */
  proven: boolean | null;
  at: Date;
}

/**
 * Decides a test, whose campaign is locked and whose test is not decided: the one content of the rest becomes that of the winner, and its wave is
 * released. Both commit together, before which no email of the rest can be claimed; the cost does not depend on their number. After the commit
 * `releaseRest` is to be called.
 */
export async function decideLocked(
  db: Db,
  campaign: CampaignRow,
  { winner, by, proven, at }: Decision,
): Promise<void> {
  const { id, projectId, name } = campaign;
  const test = testOf(campaign);
  if (test === null) throw new Error('a campaign without a test was decided');
  const number = numberOfKey(winner);
  await rewriteContent(db, projectId, identifyRest(id).id, contentOfVariant(campaign, test, number), winner);
  await changeCampaign(db, id, {
    ...{ testState: 'DECIDED', testWinner: number, testDecidedAt: at, testDecidedBy: by, testProven: proven },
    wave: waveOfRest,
  });
  await storeEvent(db, 'campaign.test_decided', projectId, {
    ...{ campaignId: id, campaignName: name },
    ...{ winner, decidedBy: by, proven, metric: test.metric },
  });
}

const waveOfRest = 2;

/** For how long batches are released at once; the others are released within a minute. */
const releasingMs = 1_500;

/** Has the rest of a decided test begin, unless its campaign is paused or has a pace. What is lost here is released within a minute. */
export async function releaseRest(
  services: Services,
  campaign: { projectId: string; campaignId: string },
): Promise<void> {
  const begun = performance.now();
  while ((await releaseHeldBatches(services.database.prisma, campaign)) > 0)
    if (performance.now() - begun > releasingMs) break;
  await signalBulkDelivery(services, campaign.projectId);
}
