import { acceptedOf, conversionRateOf, ratesOf } from '../../../base/figures/index.ts';
import type { CountedCampaign } from '../campaigns.store.ts';
import { type Counted, resultsOf, sumsOf } from './read-results.ts';
import { keysOf, numberOfKey, restNumber } from './variants.rules.ts';
import { pairsOf } from './verdict.rules.ts';

/** What the variants of a campaign did, and how they compare; null for a campaign without a test, and before it is sent. */
export function testStatsOf(campaign: CountedCampaign, counted: Counted) {
  const { test } = campaign;
  if (test === null || campaign.frozenAt === null) return null;
  const { sums, conversions } = counted;
  const results = resultsOf(test, counted);
  const { variants: _variants, sample: _sample, hours: _hours, decide: _decide, ...progress } = test;
  const parts = [
    ...keysOf(test).map((key) => ({ key, number: numberOfKey(key) })),
    { key: 'REST' as const, number: restNumber },
  ];
  return {
    ...progress,
    variants: parts.map(({ key, number }) => {
      const { number: _number, ...of } = sumsOf(sums, number);
      const reached = conversions.find((each) => each.number === number);
      const converted = campaign.goalId === null ? null : (reached?.converted ?? 0);
      const { openRate, clickRate, unsubscribeRate, bounceRate } = ratesOf(of);
      return {
        key,
        recipients: campaign.variantRecipients[number] ?? 0,
        ...of,
        accepted: acceptedOf(of),
        converted,
        value: campaign.goalId === null ? null : (reached?.sum ?? 0),
        ...{ openRate, clickRate, unsubscribeRate, bounceRate },
        conversionRate: conversionRateOf(converted, of.sent),
      };
    }),
    pairs: results.some(({ accepted }) => accepted > 0) ? pairsOf(test.metric, results) : [],
  };
}
