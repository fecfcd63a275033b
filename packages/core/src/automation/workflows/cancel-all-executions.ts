import { command, projectIdOf } from '../../base/kernel/index.ts';
import { cancelledByUser } from './cancel-execution.ts';
import { cancelledExecutions } from './executions.schema.ts';
import { cancelActive } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { runExecutionJob } from './workflows.jobs.ts';
import { workflowIdInput } from './workflows.schema.ts';
import { lockWorkflow } from './workflows.store.ts';

/** The number of executions signalled at once; the others are found by `reconcile`, or end at their next step. */
const toldAtOnce = 500;

export const cancelAllExecutions = command({
  name: 'workflows.cancelAllExecutions',
  summary: 'Cancels every active execution of a workflow',
  permission: 'data:write',
  risk: 'none',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: workflowIdInput,
  output: cancelledExecutions,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    if (!(await lockWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    const ended = await cancelActive(ctx.db, { projectId, workflowId: id }, cancelledByUser);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['executions'] });
    ctx.afterCommit(() => {
      for (const executionId of ended.slice(0, toldAtOnce)) {
        ctx.services.workflows.signalDebounced(runExecutionJob, { executionId });
      }
    });
    return { cancelled: ended.length };
  },
});
