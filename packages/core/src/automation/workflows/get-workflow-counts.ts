import { projectIdOf, query } from '../../base/kernel/index.ts';
import { countBySteps } from './counts.store.ts';
import { workflowCounts, workflowCountsInput } from './executions.schema.ts';
import { workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { findWorkflow } from './workflows.store.ts';

export const getWorkflowCounts = query({
  name: 'workflows.counts',
  summary: 'Counts the executions at each step of a workflow, and those that completed or failed it',
  permission: 'data:read',
  input: workflowCountsInput,
  output: workflowCounts,
  async handler(ctx, { id: named, days }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    return countBySteps(ctx.db, projectId, id, days ?? null);
  },
});
