import { command, conflict, emptyObject, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertNotReferenced } from '../../base/references/index.ts';
import { insertBulkJob } from './bulk/bulk-jobs.store.ts';
import { hasActiveExecutions } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { triggerDefinition } from './triggers/triggers.schema.ts';
import { workflowIdOf } from './workflow-id.ts';
import { changeExecutionsJob, keepScheduleJob } from './workflows.jobs.ts';
import { workflowIdInput } from './workflows.schema.ts';
import { lockWorkflow, removeWorkflow } from './workflows.store.ts';

/** Its executions take as long to remove as there are many, so a job removes them behind the reply. Nobody sees them without their workflow. */
export const deleteWorkflow = command({
  name: 'workflows.delete',
  summary: 'Deletes a workflow without active executions, including its past executions',
  permission: 'data:write',
  risk: 'large',
  errors: ['WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: workflowIdInput,
  output: emptyObject,
  async handler(ctx, { id: named }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    if (await hasActiveExecutions(ctx.db, projectId, id)) {
      throw conflict('The workflow has active executions', {
        suggestion: suggestions.CONFLICT.activeExecutions,
      });
    }
    await assertNotReferenced(ctx.db, projectId, `workflow.${id}`, id);
    await removeWorkflow(ctx.db, projectId, id);
    const jobId = newId();
    const input = { workflowId: id };
    await insertBulkJob(ctx.db, { id: jobId, projectId, kind: 'remove-executions', input });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeExecutionsJob, { jobId }));
    if (triggerDefinition(workflow.triggerType).isScheduled)
      ctx.afterCommit(() => ctx.services.workflows.signalDebounced(keepScheduleJob, { workflowId: id }));
    ctx.audit({ targetType: 'workflow', targetId: id, name: workflow.name });
    return {};
  },
});
