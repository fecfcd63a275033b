import { AppError, command, projectOf, senderRefused } from '../../base/kernel/index.ts';
import { notifyOutbox, ofLinkTags, ofTopic } from '../../mail/ledger/index.ts';
import { linkTagsOf } from '../../mail/message/index.ts';
import { writeTestMail } from '../../mail/sending/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { findLinkTagging } from '../../people/projects/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { testCampaignInput, testCampaignOutput } from './campaigns.schema.ts';
import { contentBytesOfCampaign, findCampaign, findContactId, isMemberAddress } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { noSuchVariant } from './variants/no-such-variant.ts';
import { contentOfVariant, keysOf, numberOfKey, ofVariant } from './variants/variants.rules.ts';

export const testCampaign = command({
  name: 'campaigns.test',
  summary: 'Sends a test email of a campaign to one member of the project',
  permission: 'data:write',
  risk: 'mail',
  errors: ['FORBIDDEN', senderRefused, 'CAMPAIGN_NOT_FOUND'],
  input: testCampaignInput,
  output: testCampaignOutput,
  async prepare(ctx, { id }) {
    const { id: projectId } = projectOf(ctx);
    await assertStorage(ctx.services, projectId, await contentBytesOfCampaign(ctx.db, projectId, id));
  },
  async handler(ctx, { id, email, variant = 'A' }) {
    const project = projectOf(ctx);
    const campaign = await findCampaign(ctx.db, project.id, id);
    if (!campaign) throw campaignNotFound();
    if (!(await isMemberAddress(ctx.db, project.id, email))) {
      throw new AppError('FORBIDDEN', 'Test emails can only be sent to members of the project', {
        suggestion: 'Use the address of a member, or invite this person to the project',
      });
    }
    if (!keysOf(campaign.test ?? { variants: [] }).includes(variant)) throw noSuchVariant('variant');
    const number = numberOfKey(variant);
    const content = contentOfVariant(campaign, campaign.test, number);
    const tags = linkTagsOf(await findLinkTagging(ctx.db, project.id), campaign, campaign.utm);
    const { domainId } = await requireVerifiedSender(ctx, content.from);
    const emailId = await writeTestMail(ctx.db, {
      content: {
        ...content,
        projectId: project.id,
        projectName: project.name,
        language: project.language,
        ...ofTopic(campaign),
        ...ofLinkTags(ofVariant(tags, campaign, number)),
      },
      to: email,
      contactId: await findContactId(ctx.db, project.id, email),
      domainId,
    });
    ctx.audit({ targetType: 'campaign', targetId: id });
    ctx.afterCommit(() => notifyOutbox(ctx.services, project.id));
    return { emailId, to: email };
  },
});
