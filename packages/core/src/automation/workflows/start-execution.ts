import { findContactId } from '../../audience/contacts/index.ts';
import { notifyExecutions } from '../../base/follow-ups/index.ts';
import { AppError, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { executionShape, startExecutionInput } from './executions.schema.ts';
import { insertExecution, presentExecution } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { assertMaySend } from './require-template.ts';
import { lockWorkflow, readGraph } from './workflows.store.ts';

export const startExecution = command({
  name: 'workflows.startExecution',
  summary: 'Starts an enabled workflow for one contact',
  permission: 'data:write',
  risk: 'mail',
  errors: ['CONTACT_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: startExecutionInput,
  output: executionShape,
  async handler(ctx, { id, contactId: reference, context = {} }) {
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id, 'keep');
    if (!workflow) throw workflowNotFound();
    const contactId = await findContactId(ctx.db, projectId, reference, 'keep');
    if (contactId === null) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
    if (!workflow.enabled) {
      throw conflict('The workflow is disabled', { suggestion: suggestions.CONFLICT.workflowDisabled });
    }
    const { steps } = await readGraph(ctx.db, id);
    await assertMaySend(ctx, steps);
    const trigger = steps.find(({ type }) => type === 'TRIGGER');
    if (!trigger) throw new Error(`workflow ${id} has no TRIGGER step`);
    const execution = await insertExecution(ctx.db, workflow, {
      contactId,
      context,
      triggerStepId: trigger.id,
    });
    if (!execution) {
      throw conflict(
        workflow.allowReentry
          ? 'The contact is already in this workflow'
          : 'The contact has already entered this workflow, and re-entry is not allowed',
        {
          suggestion: workflow.allowReentry
            ? suggestions.CONFLICT.contactInWorkflow
            : suggestions.CONFLICT.noReentry,
        },
      );
    }
    ctx.audit({ targetType: 'execution', targetId: execution.id });
    ctx.afterCommit(() => notifyExecutions(ctx.services, projectId));
    return presentExecution(execution);
  },
});
