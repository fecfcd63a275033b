import { AppError, type Context, projectIdOf, query } from '../../../base/kernel/index.ts';
import { definitionFrom } from '../definitions/definitions.store.ts';
import { workflowNotFound } from '../not-found.ts';
import { presentGraph } from '../present-detail.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { findWorkflow, type WorkflowRow } from '../workflows.store.ts';
import { countsOf, presentVersion } from './present-version.ts';
import { workflowVersion, workflowVersionInput } from './versions.schema.ts';
import { findVersion, type VersionRow } from './versions.store.ts';

/** @throws AppError RESOURCE_NOT_FOUND */
export async function requireVersion(
  { db }: Pick<Context, 'db'>,
  workflow: WorkflowRow,
  version: number,
): Promise<VersionRow> {
  const row = await findVersion(db, workflow, version);
  if (row) return row;
  throw new AppError('RESOURCE_NOT_FOUND', `The workflow has no version ${version}`, {
    suggestion: 'List its versions; one that no execution has entered goes with the next',
  });
}

export const getWorkflowVersion = query({
  name: 'workflows.getVersion',
  summary: 'Returns one version of a workflow with its definition',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: workflowVersionInput,
  output: workflowVersion,
  async handler(ctx, { id: named, version }) {
    const id = await workflowIdOf(ctx, named);
    const workflow = await findWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const { definition: stored, ...row } = await requireVersion(ctx, workflow, version);
    const { steps, transitions, ...definition } = definitionFrom(stored);
    const graph = await presentGraph(ctx.db, workflow, { steps, transitions });
    return {
      ...presentVersion(workflow, row, await countsOf(ctx.db, workflow)),
      definition: { ...definition, triggerConfig: { ...definition.triggerConfig }, ...graph },
    };
  },
});
