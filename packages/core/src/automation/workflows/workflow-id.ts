import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { workflowNotFound } from './not-found.ts';
import { idOfWorkflow } from './workflows.store.ts';

/**
 * The id of the workflow that a request names by its id or alias. Only an alias is looked up.
 *
 * @throws AppError WORKFLOW_NOT_FOUND for an unknown alias
 */
export async function workflowIdOf(ctx: Context, reference: string): Promise<string> {
  const id = await idOfWorkflow(ctx.db, projectIdOf(ctx), reference);
  if (id === null) throw workflowNotFound();
  return id;
}
