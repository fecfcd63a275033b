import { projectIdOf, query } from '../kernel/index.ts';
import { findTemplateReferences } from '../references/index.ts';
import { templateNotFound } from './get-template.ts';
import { templateIdInput, templateUsage } from './templates.schema.ts';
import { countSentFromTemplate, findTemplate } from './templates.store.ts';

export const getTemplateUsage = query({
  name: 'templates.usage',
  summary: 'Returns where a template is used and how many emails were sent from it',
  permission: 'data:read',
  errors: ['TEMPLATE_NOT_FOUND'],
  input: templateIdInput,
  output: templateUsage,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    if (!(await findTemplate(ctx.db, projectId, id))) throw templateNotFound();
    const [references, emailsSent] = await Promise.all([
      findTemplateReferences(ctx.db, projectId, id),
      countSentFromTemplate(ctx.db, projectId, id),
    ]);
    return { ...references, emailsSent, canDelete: references.workflowSteps.length === 0 };
  },
});
