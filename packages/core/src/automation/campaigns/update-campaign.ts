import { assertSenderAllowed, command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { assertTemplateSyntax, bytesOfTexts, presentDesign } from '../../content/templates/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertGrowth } from '../../people/storage/index.ts';
import { authorIn } from './author-in.ts';
import { endAsking } from './campaign-approvals.store.ts';
import { assertNotApproved, assertState, assertVersion } from './campaigns.rules.ts';
import { campaignRecord, updateCampaignInput } from './campaigns.schema.ts';
import { findCampaign, lockCampaign, replaceCampaign, storedBytesOfCampaign } from './campaigns.store.ts';
import { assertCondition, assertGoal, assertLinkTags, assertReferences, fieldsOf } from './check-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';
import { isSame } from './hash-campaign.ts';
import { assertUnpaced, assertUntested } from './local-time.rules.ts';
import { presentCampaign } from './present-campaign.ts';
import { assertTest, bytesOfTest, requireSendersOfTest, textsOfTest } from './variants/check-test.ts';

export const updateCampaign = command({
  name: 'campaigns.update',
  summary: 'Replaces a campaign that has not been sent; omitted optional fields are cleared',
  permission: 'data:write',
  risk: 'mail',
  errors: [
    'BAD_REQUEST',
    'FORBIDDEN',
    senderRefused,
    'CAMPAIGN_NOT_FOUND',
    'SEGMENT_NOT_FOUND',
    'TEMPLATE_NOT_FOUND',
    'CONFLICT',
  ],
  input: updateCampaignInput,
  output: campaignRecord,
  async prepare(ctx, input) {
    const projectId = projectIdOf(ctx);
    const before = await storedBytesOfCampaign(ctx.db, projectId, input.id);
    await assertGrowth(ctx.services, projectId, before, bytesOfTexts(input) + bytesOfTest(input.test));
    return assertTemplateSyntax(ctx, input, textsOfTest(input.test));
  },
  async handler(ctx, { id, ifUpdatedAt, ...input }, textReads) {
    const projectId = projectIdOf(ctx);
    await assertCondition(ctx, input);
    await assertLinkTags(ctx, input);
    await assertTest(ctx, input);
    await lockCampaign(ctx.db, projectId, id);
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    await assertReferences(ctx, input);
    await assertGoal(ctx, input, true);
    assertState('change', campaign.status);
    assertNotApproved(campaign);
    assertVersion(campaign.updatedAt, ifUpdatedAt);
    if (campaign.localTime) {
      assertUnpaced({ perHour: input.pace?.perHour ?? null, careful: input.pace?.careful ?? false }, 'pace');
      assertUntested(input, 'test');
    }
    assertSenderAllowed(ctx.actor, campaign.from);
    await requireVerifiedSender(ctx, input.from);
    await requireSendersOfTest(ctx, input);
    const fields = await fieldsOf(ctx, input, campaign, textReads);
    const isOther = !isSame(campaign, fields);
    await replaceCampaign(ctx.db, projectId, id, fields, { changedById: isOther ? authorIn(ctx) : null });
    if (isOther) await endAsking(ctx.db, projectId, [id]);
    ctx.audit({ targetType: 'campaign', targetId: id, changed: Object.keys(input) });
    const updated = await findCampaign(ctx.db, projectId, id);
    if (!updated) throw campaignNotFound();
    return presentCampaign(ctx, presentDesign(updated));
  },
});
