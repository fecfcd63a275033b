import { projectIdOf, query } from '../../base/kernel/index.ts';
import { definitionFrom, findDraft } from './definitions/definitions.store.ts';
import { draftNotFound, workflowNotFound } from './not-found.ts';
import { presentDetail } from './present-detail.ts';
import { workflowIdOf } from './workflow-id.ts';
import { getWorkflowInput, workflowDetail } from './workflows.schema.ts';
import { findWorkflow } from './workflows.store.ts';

export const getWorkflow = query({
  name: 'workflows.get',
  summary: 'Returns one workflow with its steps and transitions',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: getWorkflowInput,
  output: workflowDetail,
  async handler(ctx, { id: named, definition }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    if (definition !== 'draft') return presentDetail(ctx.db, workflow);
    const draft = await findDraft(ctx.db, projectId, id);
    if (!draft) throw draftNotFound();
    return presentDetail(ctx.db, workflow, definitionFrom(draft.definition));
  },
});
