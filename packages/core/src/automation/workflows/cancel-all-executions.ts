import { notifyExecutions } from '../../base/follow-ups/index.ts';
import { command, projectIdOf } from '../../base/kernel/index.ts';
import { cancelledExecutions } from './executions.schema.ts';
import { beginCancellation } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { workflowIdInput } from './workflows.schema.ts';
import { lockWorkflow } from './workflows.store.ts';

/**
 * From the commit on no set takes a step of an execution that began before: `lockWorkflow` waits for those that run. The rows of the first ones
 * change with it, and those of the others behind it, in turns of the runners.
 */
export const cancelAllExecutions = command({
  name: 'workflows.cancelAllExecutions',
  summary: 'Cancels every active execution of a workflow',
  permission: 'data:write',
  risk: 'none',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: workflowIdInput,
  output: cancelledExecutions,
  async handler(ctx, { id: named }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await lockWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    const cancelled = await beginCancellation(ctx.db, projectId, id);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['executions'] });
    ctx.afterCommit(() => notifyExecutions(ctx.services, projectId));
    return { cancelled };
  },
});
