import type { Db } from '../../../base/db/index.ts';
import { acceptedOf } from '../../../base/figures/index.ts';
import type { CampaignRow } from '../campaigns.store.ts';
import {
  conversionsByVariant,
  sumByVariant,
  type VariantConversions,
  type VariantSums,
} from './test-figures.store.ts';
import { keysOf, numberOfKey, type StoredTest } from './variants.rules.ts';
import type { VariantResult } from './verdict.rules.ts';

export type TestedCampaign = Pick<CampaignRow, 'id' | 'goalId'>;

const nothing = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  unsubscribed: 0,
};

/** The sums of a variant. */
export const sumsOf = (sums: readonly VariantSums[], number: number): VariantSums =>
  sums.find((each) => each.number === number) ?? { number, ...nothing };

/** What is counted of the variants of a campaign. */
export interface Counted {
  sums: readonly VariantSums[];
  conversions: readonly VariantConversions[];
}

/** What is counted of the variants of campaigns, with two queries for all of them. */
export async function readCounted(
  db: Db,
  projectId: string,
  campaigns: readonly TestedCampaign[],
): Promise<(campaignId: string) => Counted> {
  if (campaigns.length === 0) return () => ({ sums: [], conversions: [] });
  const withGoal = campaigns.filter(({ goalId }) => goalId !== null);
  const sums = await sumByVariant(
    db,
    projectId,
    campaigns.map(({ id }) => id),
  );
  const conversions =
    withGoal.length === 0
      ? []
      : await conversionsByVariant(
          db,
          projectId,
          withGoal.map(({ id }) => id),
        );
  return (id) => ({
    sums: sums.filter(({ campaignId }) => campaignId === id),
    conversions: conversions.filter(({ campaignId }) => campaignId === id),
  });
}

/** What the variants of a test did until now, in the order of their keys. */
export const resultsOf = (test: StoredTest, { sums, conversions }: Counted): VariantResult[] =>
  keysOf(test).map((key) => {
    const number = numberOfKey(key);
    const of = sumsOf(sums, number);
    const reached = conversions.find((each) => each.number === number);
    const converted = { CLICKS: of.clicked, OPENS: of.opened, GOAL: undefined, REVENUE: undefined }[
      test.metric
    ];
    return {
      key,
      accepted: acceptedOf(of),
      converted: converted ?? reached?.converted ?? 0,
      value: { sum: reached?.sum ?? 0, squares: reached?.squares ?? 0 },
    };
  });
