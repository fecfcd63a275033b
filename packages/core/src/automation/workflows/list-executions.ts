import { projectIdOf, query } from '../../base/kernel/index.ts';
import { executionPage, listExecutionsInput } from './executions.schema.ts';
import { presentExecution, readNames, searchExecutions } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { findWorkflow } from './workflows.store.ts';

export const listExecutions = query({
  name: 'workflows.listExecutions',
  summary: 'Lists the executions of a workflow, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'WORKFLOW_NOT_FOUND'],
  input: listExecutionsInput,
  output: executionPage,
  async handler(ctx, { id: named, page, pageSize, status }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    const { rows, total } = await searchExecutions(ctx.db, projectId, id, { page, pageSize, status });
    const { contactOf, stepOf } = await readNames(
      ctx.db,
      projectId,
      rows,
      rows.flatMap(({ currentStepId }) => currentStepId ?? []),
    );
    const executions = rows.map((row) => ({
      ...presentExecution(row),
      contact: contactOf(row.contactId),
      currentStep: stepOf(row.currentStepId),
    }));
    return { executions, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
  },
});
