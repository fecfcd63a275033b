import { assertSenderAllowed, command, projectIdOf } from '../../base/kernel/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { presentDesign } from './design.schema.ts';
import { contentOf } from './email-content.schema.ts';
import { templateNotFound } from './get-template.ts';
import { readTexts, textsOf } from './read-texts.ts';
import { nameOfCopy } from './templates.rules.ts';
import { templateIdInput, templateNameLimit, templateShape } from './templates.schema.ts';
import {
  findDesignedTemplate,
  insertTemplate,
  storedBytesOfTemplate,
  textReadsOfTemplate,
} from './templates.store.ts';

export const duplicateTemplate = command({
  name: 'templates.duplicate',
  summary: 'Duplicates a template',
  permission: 'data:write',
  risk: 'none',
  errors: ['TEMPLATE_NOT_FOUND', 'FORBIDDEN'],
  input: templateIdInput,
  output: templateShape,
  async prepare(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    // The copy, and its first version.
    await assertStorage(ctx.services, projectId, 2 * (await storedBytesOfTemplate(ctx.db, projectId, id)));
  },
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const template = await findDesignedTemplate(ctx.db, projectId, id);
    if (!template) throw templateNotFound();
    assertSenderAllowed(ctx.actor, template.from);
    const textReads =
      (await textReadsOfTemplate(ctx.db, projectId, template.id)) ??
      (await readTexts(ctx.services, projectId, textsOf(template))).reads;
    const copy = await insertTemplate(ctx, {
      projectId,
      name: nameOfCopy(template.name, templateNameLimit),
      description: template.description,
      alias: null,
      ...contentOf(template),
      design: template.design,
      exemptFromLimits: template.exemptFromLimits,
      topicId: template.topicId,
      textReads,
    });
    ctx.audit({ targetType: 'template', targetId: copy.id });
    return presentDesign(copy);
  },
});
