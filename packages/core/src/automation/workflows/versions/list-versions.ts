import { badRequest, cursorsOf, projectIdOf, query } from '../../../base/kernel/index.ts';
import { workflowNotFound } from '../not-found.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { findWorkflow } from '../workflows.store.ts';
import { countsOf, presentVersion } from './present-version.ts';
import { listWorkflowVersionsInput, workflowVersions } from './versions.schema.ts';
import { countVersions, findVersions } from './versions.store.ts';

export const listWorkflowVersions = query({
  name: 'workflows.listVersions',
  summary: 'Lists the versions of a workflow, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'WORKFLOW_NOT_FOUND'],
  input: listWorkflowVersionsInput,
  output: workflowVersions,
  async handler(ctx, input) {
    const cursors = cursorsOf('workflows.listVersions', input);
    const after = cursors.after('text');
    if (after && !/^\d{1,9}$/.test(after.value)) throw badRequest('Invalid cursor');
    const workflow = await findWorkflow(ctx.db, projectIdOf(ctx), await workflowIdOf(ctx, input.id));
    if (!workflow) throw workflowNotFound();
    const [rows, total, counts] = await Promise.all([
      findVersions(ctx.db, workflow, after && Number(after.value), input.limit + 1),
      after ? 0 : countVersions(ctx.db, workflow),
      countsOf(ctx.db, workflow),
    ]);
    // Its number orders the versions of a workflow, so that the id breaks no tie.
    const presented = rows.map((row) => ({ ...presentVersion(workflow, row, counts), id: workflow.id }));
    return cursors.page(presented, ({ version }) => String(version), total);
  },
});
