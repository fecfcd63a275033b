import { pageOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { listWorkflowsInput, workflowPage } from './workflows.schema.ts';
import { presentWorkflows, searchWorkflows } from './workflows.store.ts';

export const listWorkflows = query({
  name: 'workflows.list',
  summary: 'Lists workflows with the number of their steps and executions',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listWorkflowsInput,
  output: workflowPage,
  async handler(ctx, input) {
    const { rows, total } = await searchWorkflows(ctx.db, projectIdOf(ctx), input);
    const data = await presentWorkflows(ctx.db, rows);
    return pageOf(data, input.page, input.pageSize, total);
  },
});
