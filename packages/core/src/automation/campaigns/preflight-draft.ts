import { namedTopic } from '../../audience/topics/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { assertTemplateSyntax } from '../../content/templates/index.ts';
import { campaignPreflight, createCampaignInput } from './campaigns.schema.ts';
import { checkBeforeSending } from './check-before-sending.ts';
import {
  assertCondition,
  assertGoal,
  assertLinkTags,
  assertReferences,
  writtenFields,
} from './check-campaign.ts';
import { assertTest, textsOfTest } from './variants/check-test.ts';

export const preflightDraft = query({
  name: 'campaigns.preflightDraft',
  summary: 'Checks a campaign that is not stored, as it would be before it is sent',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  input: createCampaignInput,
  output: campaignPreflight,
  async handler(ctx, input) {
    await assertTemplateSyntax(ctx, input, textsOfTest(input.test));
    await assertCondition(ctx, input);
    await assertLinkTags(ctx, input);
    await assertTest(ctx, input);
    const template = await assertReferences(ctx, input);
    await assertGoal(ctx, input, false);
    const topic = await namedTopic(ctx.db, projectIdOf(ctx), input.topic);
    const { name: _name, description: _description, ...fields } = writtenFields(input, template, topic);
    return checkBeforeSending(ctx, fields, null, null);
  },
});
