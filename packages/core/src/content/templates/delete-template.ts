import { command, conflict, emptyObject, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { assertNotReferenced, findTemplateReferences } from '../../base/references/index.ts';
import { templateNotFound } from './get-template.ts';
import { templateIdInput } from './templates.schema.ts';
import { lockTemplate, removeTemplate } from './templates.store.ts';

export const deleteTemplate = command({
  name: 'templates.delete',
  summary: 'Deletes a template that no workflow uses; campaigns created from it keep their content',
  permission: 'data:write',
  risk: 'large',
  errors: ['TEMPLATE_NOT_FOUND', 'CONFLICT'],
  input: templateIdInput,
  output: emptyObject,
  async handler(ctx, { id: reference }) {
    const projectId = projectIdOf(ctx);
    const template = await lockTemplate(ctx.db, projectId, reference);
    if (!template) throw templateNotFound();
    const { id } = template;
    const { workflowSteps } = (await findTemplateReferences(ctx.db, projectId, [id]))(id);
    const [step] = workflowSteps;
    if (step) {
      throw conflict(`The workflow ${step.workflowName} uses this template`, {
        suggestion: suggestions.CONFLICT.templateUsed,
      });
    }
    await assertNotReferenced(ctx.db, projectId, `template.${id}`, id);
    await removeTemplate(ctx.db, projectId, id);
    ctx.audit({ targetType: 'template', targetId: id, name: template.name });
    return {};
  },
});
