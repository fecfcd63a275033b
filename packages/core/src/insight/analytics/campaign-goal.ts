import type { findCampaign } from '../../automation/campaigns/index.ts';
import type { Db } from '../../base/db/index.ts';
import { amountOf, conversionRateOf } from '../../base/figures/index.ts';
import { creditOfCampaign } from './goals/goal-report.store.ts';
import { liftOf } from './goals/lift.rules.ts';

type Campaign = NonNullable<Awaited<ReturnType<typeof findCampaign>>>;

/** What a campaign has led to by its goal, and what its email changes, by its holdout; null without them. */
export async function goalOfCampaign(db: Db, campaign: Campaign) {
  const { id, projectId, sentAt, sentCount, heldOutCount, holdout, conversions } = campaign;
  if (!conversions) return { goal: null, lift: null };
  const { goalId, goalName, currency, converted, heldOutConverted } = conversions;
  const credit = sentAt
    ? await creditOfCampaign(db, { projectId, goalId }, { campaignId: id, since: sentAt })
    : { credited: 0, creditedValue: null };
  return {
    goal: {
      id: goalId,
      name: goalName,
      currency,
      converted,
      conversionRate: conversionRateOf(converted, sentCount) ?? 0,
      value: campaign.convertedValue,
      credited: credit.credited,
      creditedValue: currency === null ? null : amountOf(credit.creditedValue),
    },
    lift: liftOf({
      recipients: sentCount,
      recipientsConverted: converted,
      heldOut: heldOutCount,
      heldOutConverted,
      share: heldOutCount === 0 ? null : 1 - holdout / 100,
    }),
  };
}
