import { requireTopic } from '../../audience/topics/index.ts';
import { command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { assertFreeAlias } from './assert-free-alias.ts';
import { assertTemplateSyntax } from './assert-template-syntax.ts';
import { presentDesign } from './design.schema.ts';
import { bytesOfTexts } from './stored-bytes.rules.ts';
import { createTemplateInput, templateShape } from './templates.schema.ts';
import { insertTemplate } from './templates.store.ts';

export const createTemplate = command({
  name: 'templates.create',
  summary: 'Creates a template; its sender domain must be verified',
  permission: 'data:write',
  risk: 'none',
  errors: [senderRefused, 'FORBIDDEN', 'CONFLICT'],
  input: createTemplateInput,
  output: templateShape,
  async prepare(ctx, input) {
    // The template, and its first version.
    await assertStorage(ctx.services, projectIdOf(ctx), 2 * bytesOfTexts(input));
    return assertTemplateSyntax(ctx, input);
  },
  async handler(ctx, { topic, ...input }, textReads) {
    await requireVerifiedSender(ctx, input.from);
    await assertFreeAlias(ctx, input.alias, null);
    const projectId = projectIdOf(ctx);
    const template = await insertTemplate(ctx, {
      ...input,
      topicId: (await requireTopic(ctx.db, projectId, topic))?.id ?? null,
      description: input.description ?? null,
      design: input.design ?? null,
      projectId,
      textReads,
    });
    ctx.audit({ targetType: 'template', targetId: template.id });
    return presentDesign(template);
  },
});
