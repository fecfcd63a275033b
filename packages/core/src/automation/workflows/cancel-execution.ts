import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { executionIdInput, executionShape } from './executions.schema.ts';
import { cancelActive, findExecution, lockExecution, presentExecution } from './executions.store.ts';
import { cancelReasons } from './exit-reasons.rules.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { findWorkflow } from './workflows.store.ts';

export const cancelExecution = command({
  name: 'workflows.cancelExecution',
  summary: 'Cancels an execution; emails that it has already created are still sent',
  permission: 'data:write',
  risk: 'none',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: executionIdInput,
  output: executionShape,
  async handler(ctx, { id: named, executionId }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    if (!(await lockExecution(ctx.db, projectId, id, executionId))) throw partNotFound('Execution');
    if (!(await cancelActive(ctx.db, { projectId, workflowId: id, executionId }, cancelReasons.user)))
      throw conflict('The execution has already ended', { suggestion: suggestions.CONFLICT.executionEnded });
    const execution = await findExecution(ctx.db, projectId, id, executionId);
    if (!execution) throw partNotFound('Execution');
    ctx.audit({ targetType: 'execution', targetId: executionId, changed: ['status'] });
    return presentExecution(execution);
  },
});
