import { command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import {
  assertTemplateSyntax,
  bytesOfTexts,
  designBytesOfTemplate,
  presentDesign,
} from '../../content/templates/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { authorIn } from './author-in.ts';
import { campaignRecord, createCampaignInput } from './campaigns.schema.ts';
import { insertCampaign } from './campaigns.store.ts';
import { assertCondition, assertGoal, assertLinkTags, assertReferences, fieldsOf } from './check-campaign.ts';
import { presentCampaign } from './present-campaign.ts';
import { assertTest, bytesOfTest, requireSendersOfTest, textsOfTest } from './variants/check-test.ts';

export const createCampaign = command({
  name: 'campaigns.create',
  summary: 'Creates a campaign as a draft',
  permission: 'data:write',
  risk: 'none',
  errors: ['BAD_REQUEST', 'FORBIDDEN', senderRefused, 'SEGMENT_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  input: createCampaignInput,
  output: campaignRecord,
  async prepare(ctx, input) {
    const projectId = projectIdOf(ctx);
    const { templateId, body, design } = input;
    // The body of a template brings its design along.
    const copied =
      templateId && design === undefined
        ? await designBytesOfTemplate(ctx.db, projectId, { id: templateId, body })
        : 0;
    await assertStorage(ctx.services, projectId, bytesOfTexts(input) + bytesOfTest(input.test) + copied);
    return assertTemplateSyntax(ctx, input, textsOfTest(input.test));
  },
  async handler(ctx, input, textReads) {
    await assertCondition(ctx, input);
    await assertLinkTags(ctx, input);
    await assertTest(ctx, input);
    const template = await assertReferences(ctx, input);
    await assertGoal(ctx, input, true);
    await requireVerifiedSender(ctx, input.from);
    await requireSendersOfTest(ctx, input);
    const fields = await fieldsOf(ctx, input, template, textReads);
    const campaign = await insertCampaign(ctx.db, projectIdOf(ctx), fields, { changedById: authorIn(ctx) });
    ctx.audit({ targetType: 'campaign', targetId: campaign.id });
    return presentCampaign(ctx, presentDesign(campaign));
  },
});
