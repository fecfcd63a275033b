import { requireVerifiedSender } from '../domains/index.ts';
import { AppError, command, newId, projectIdOf } from '../kernel/index.ts';
import { countAudience } from '../sending/index.ts';
import { assertTemplateSyntax, findTemplate } from '../templates/index.ts';
import { campaignRecord, createCampaignInput } from './campaigns.schema.ts';
import { insertCampaign, withCounters, writeCounters } from './campaigns.store.ts';

export const createCampaign = command({
  name: 'campaigns.create',
  summary: 'Creates a campaign as a draft',
  permission: 'data:write',
  input: createCampaignInput,
  output: campaignRecord,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    assertTemplateSyntax({ subject: input.subject, body: input.body });
    if (input.templateId && !(await findTemplate(ctx.db, projectId, input.templateId))) {
      throw new AppError('TEMPLATE_NOT_FOUND', 'Template not found');
    }
    await requireVerifiedSender(ctx, input.from);
    const id = newId();
    const totalRecipients = await countAudience(ctx.db, { projectId, type: input.type });
    const row = await insertCampaign(ctx.db, { ...input, id, projectId, totalRecipients });
    await writeCounters(ctx.db, id, projectId, {});
    ctx.audit({ targetType: 'campaign', targetId: id });
    const [campaign] = await withCounters(ctx.db, [row]);
    if (!campaign) throw new Error('the campaign that was just made has no row');
    return campaign;
  },
});
