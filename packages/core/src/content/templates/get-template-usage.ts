import { projectIdOf, query } from '../../base/kernel/index.ts';
import { templateNotFound } from './get-template.ts';
import { usageOfTemplates } from './get-usage-of-templates.ts';
import { templateIdInput, templateUsage } from './templates.schema.ts';
import { idOfTemplate } from './templates.store.ts';

export const getTemplateUsage = query({
  name: 'templates.usage',
  summary: 'Returns where a template is used and how many emails were sent from it',
  permission: 'data:read',
  errors: ['TEMPLATE_NOT_FOUND'],
  input: templateIdInput,
  output: templateUsage,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const templateId = await idOfTemplate(ctx.db, projectId, id);
    const [found] = templateId === null ? [] : await usageOfTemplates(ctx.db, projectId, [templateId]);
    if (!found) throw templateNotFound();
    return found.usage;
  },
});
