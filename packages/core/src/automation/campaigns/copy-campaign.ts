import { assertSenderAllowed, type Context, projectIdOf } from '../../base/kernel/index.ts';
import { contentOf, readTexts, textsOf } from '../../content/templates/index.ts';
import { keepGoals } from '../goals/index.ts';
import { authorIn } from './author-in.ts';
import { type DesignedCampaign, type FamilyPlace, insertCampaign } from './campaigns.store.ts';
import { estimateRecipients } from './estimate-campaign.ts';
import { textsOfTest } from './variants/check-test.ts';
import { setupOf } from './variants/present-test.ts';

/** What decides who receives a campaign, as it is stored. */
export type StoredAudience = Pick<DesignedCampaign, 'audienceType' | 'segmentId' | 'reads'> & {
  audienceCondition: unknown;
};

/** The goal, unless it counts no more. */
async function countingGoal(ctx: Context, goalId: string | null): Promise<string | null> {
  if (goalId === null) return null;
  return (await keepGoals(ctx.db, projectIdOf(ctx), [goalId])).has(goalId) ? goalId : null;
}

/**
 * Stores a draft with the content of a campaign.
 *
 * @param place of a sequel, in the family of the campaign
 * @throws AppError FORBIDDEN when the caller may not use its sender; BAD_REQUEST when counting its audience takes too long
 */
export async function copyCampaign(
  ctx: Context,
  campaign: DesignedCampaign,
  name: string,
  { audienceType, segmentId, audienceCondition, reads }: StoredAudience = campaign,
  place?: FamilyPlace,
): Promise<DesignedCampaign> {
  assertSenderAllowed(ctx.actor, campaign.from);
  const projectId = projectIdOf(ctx);
  const { description, design, type, templateId, exemptFromLimits, topicId } = campaign;
  const { guard, perHour, careful, holdout, utm, goalId } = campaign;
  const test = setupOf(campaign.test);
  for (const { from } of test?.variants ?? []) if (from !== undefined) assertSenderAllowed(ctx.actor, from);
  const { reads: textReads } = await readTexts(ctx.services, projectId, [
    ...textsOf(campaign),
    ...textsOfTest(test),
  ]);
  const audience = { projectId, type, topicId, audienceType, segmentId, audienceCondition };
  return insertCampaign(
    ctx.db,
    projectId,
    {
      name,
      description,
      ...contentOf(campaign),
      design,
      templateId,
      exemptFromLimits,
      ...{ guard, perHour, careful, holdout, utm, test },
      goalId: await countingGoal(ctx, goalId),
      topicId,
      audienceType,
      segmentId,
      audienceCondition: audienceCondition as object | null,
      reads,
      textReads,
      totalRecipients: await estimateRecipients(ctx.db, audience),
    },
    { ...place, changedById: authorIn(ctx) },
  );
}
