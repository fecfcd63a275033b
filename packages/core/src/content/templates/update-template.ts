import { assertSenderAllowed, command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { assertTemplateSyntax } from './assert-template-syntax.ts';
import { presentDesign } from './design.schema.ts';
import { templateNotFound } from './get-template.ts';
import { bytesOfTexts } from './stored-bytes.rules.ts';
import { templateShape, updateTemplateInput } from './templates.schema.ts';
import { changeTemplate, lockTemplate, storedBytesOfTemplate } from './templates.store.ts';
import { versionedFields } from './versions/versions.store.ts';

export const updateTemplate = command({
  name: 'templates.update',
  summary: 'Updates a template; emails rendered from then on use the new version',
  permission: 'data:write',
  errors: [senderRefused, 'TEMPLATE_NOT_FOUND', 'FORBIDDEN'],
  input: updateTemplateInput,
  output: templateShape,
  async prepare(ctx, input) {
    if (versionedFields.some((field) => input[field] !== undefined)) {
      const projectId = projectIdOf(ctx);
      // A version holds what is not changed as well.
      const kept = input.body === undefined ? await storedBytesOfTemplate(ctx.db, projectId, input.id) : 0;
      await assertStorage(ctx.services, projectId, kept + bytesOfTexts(input));
    }
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
