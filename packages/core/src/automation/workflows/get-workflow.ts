import { projectIdOf, query } from '../../base/kernel/index.ts';
import { workflowNotFound } from './not-found.ts';
import { presentDetail } from './present-detail.ts';
import { workflowDetail, workflowIdInput } from './workflows.schema.ts';
import { findWorkflow } from './workflows.store.ts';

export const getWorkflow = query({
  name: 'workflows.get',
  summary: 'Returns one workflow with its steps and transitions',
  permission: 'data:read',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: workflowIdInput,
  output: workflowDetail,
  async handler(ctx, { id }) {
    const workflow = await findWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    return presentDetail(ctx.db, workflow);
  },
});
