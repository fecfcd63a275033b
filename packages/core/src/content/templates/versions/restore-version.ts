import { assertSenderAllowed, command, projectIdOf } from '../../../base/kernel/index.ts';
import { assertStorage } from '../../../people/storage/index.ts';
import { assertTemplateSyntax } from '../assert-template-syntax.ts';
import { presentDesign } from '../design.schema.ts';
import { templateNotFound } from '../get-template.ts';
import { templateShape } from '../templates.schema.ts';
import { changeTemplate, lockTemplate } from '../templates.store.ts';
import { requireVersion } from './get-version.ts';
import { versionInput } from './versions.schema.ts';
import { changedFields, storedBytesOfVersion, versionedContentOf } from './versions.store.ts';

export const restoreTemplateVersion = command({
  name: 'templates.restoreVersion',
  summary: 'Gives a template the content of an older version, as a new version',
  permission: 'data:write',
  risk: 'none',
  errors: ['TEMPLATE_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'FORBIDDEN'],
  input: versionInput,
  output: templateShape,
  async prepare(ctx, input) {
    const projectId = projectIdOf(ctx);
    const version = await requireVersion(ctx, input);
    const { templateId: id, number } = version;
    await assertStorage(
      ctx.services,
      projectId,
      await storedBytesOfVersion(ctx.db, { projectId, id, number }),
    );
    const content = versionedContentOf(version);
    return { content, textReads: await assertTemplateSyntax(ctx, content) };
  },
  async handler(ctx, { id }, { content, textReads }) {
    const template = await lockTemplate(ctx.db, projectIdOf(ctx), id);
    if (!template) throw templateNotFound();
    assertSenderAllowed(ctx.actor, template.from);
    const changed = changedFields(template, content);
    ctx.audit({ targetType: 'template', targetId: template.id, changed });
    return presentDesign(
      changed.length === 0 ? template : await changeTemplate(ctx, template, content, textReads),
    );
  },
});
