import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import { command, conflict, projectIdOf, suggestions } from '../../../base/kernel/index.ts';
import { readDefinition } from '../definitions/read-definitions.store.ts';
import { executionIdInput, executionShape } from '../executions.schema.ts';
import { findExecution, lockExecution, presentExecution } from '../executions.store.ts';
import { partNotFound, workflowNotFound } from '../not-found.ts';
import { assertMaySend } from '../require-template.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { lockWorkflow } from '../workflows.store.ts';
import { retryFailed } from './retry.store.ts';

export const retryExecution = command({
  name: 'workflows.retryExecution',
  summary: 'Has a failed execution go on at the step that failed',
  permission: 'data:write',
  risk: 'mail',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: executionIdInput,
  output: executionShape,
  async handler(ctx, { id: named, executionId }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await lockWorkflow(ctx.db, projectId, id, 'keep'))) throw workflowNotFound();
    const before = await lockExecution(ctx.db, projectId, id, executionId);
    if (!before) throw partNotFound('Execution');
    if (before.status !== 'FAILED') {
      throw conflict(`Only an execution that is FAILED can be retried; this one is ${before.status}`, {
        suggestion: suggestions.CONFLICT.executionNotFailed,
      });
    }
    const lineage = await readDefinition(ctx.db, { workflowId: id, version: before.version });
    await assertMaySend(ctx, lineage?.runs.steps ?? []);
    const { retried, gone } = await retryFailed(ctx.db, { projectId, workflowId: id }, [executionId]);
    if (gone > 0) {
      throw conflict('The step that failed is gone from the workflow', {
        suggestion: suggestions.CONFLICT.stepGone,
      });
    }
    if (retried.length === 0) {
      throw conflict('The contact is already in this workflow', {
        suggestion: suggestions.CONFLICT.contactInWorkflow,
      });
    }
    const execution = await findExecution(ctx.db, projectId, id, executionId);
    if (!execution) throw partNotFound('Execution');
    ctx.audit({ targetType: 'execution', targetId: executionId, changed: ['status'] });
    ctx.afterCommit(() => notifyExecutions(ctx.services, projectId));
    return presentExecution(execution);
  },
});
