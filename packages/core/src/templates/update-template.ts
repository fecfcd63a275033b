import { requireVerifiedSender } from '../domains/index.ts';
import { assertSenderAllowed, command, projectIdOf, senderRefused } from '../kernel/index.ts';
import { assertStorage } from '../storage/index.ts';
import { assertTemplateSyntax } from './assert-template-syntax.ts';
import { presentDesign } from './design.schema.ts';
import { templateNotFound } from './get-template.ts';
import { templateShape, updateTemplateInput } from './templates.schema.ts';
import { changeTemplate, lockTemplate } from './templates.store.ts';

export const updateTemplate = command({
  name: 'templates.update',
  summary: 'Updates a template; emails rendered from then on use the new version',
  permission: 'data:write',
  errors: [senderRefused, 'TEMPLATE_NOT_FOUND', 'FORBIDDEN'],
  input: updateTemplateInput,
  output: templateShape,
  async prepare(ctx, input) {
    // Without a body no version is stored that takes room.
    if (input.body !== undefined)
      await assertStorage(ctx.services, projectIdOf(ctx), Buffer.byteLength(input.body));
    await assertTemplateSyntax(ctx, input);
  },
  async handler(ctx, { id, ...change }) {
    const template = await lockTemplate(ctx.db, projectIdOf(ctx), id);
    if (!template) throw templateNotFound();
    assertSenderAllowed(ctx.actor, template.from);
    if (change.from !== undefined) await requireVerifiedSender(ctx, change.from);
    const changed = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'template', targetId: id, changed });
    return presentDesign(changed.length === 0 ? template : await changeTemplate(ctx, template, change));
  },
});
