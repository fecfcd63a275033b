import { findContactId } from '../../audience/contacts/index.ts';
import { notifyExecutions } from '../../base/follow-ups/index.ts';
import { AppError, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { type BlockReason, type EntryRules, entryOf } from './entries/entry.rules.ts';
import { executionShape, startExecutionInput } from './executions.schema.ts';
import { insertExecution, presentExecution } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { assertMaySend } from './require-template.ts';
import { workflowIdOf } from './workflow-id.ts';
import { lockWorkflow, readGraph } from './workflows.store.ts';

export const startExecution = command({
  name: 'workflows.startExecution',
  summary: 'Starts an enabled workflow for one contact',
  permission: 'data:write',
  risk: 'mail',
  errors: ['CONTACT_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: startExecutionInput,
  output: executionShape,
  async handler(ctx, { id: named, contactId: reference, context = {} }) {
    const id = await workflowIdOf(ctx, named);
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
    if (typeof execution === 'string') throw blockedBy(execution, entryOf(workflow.entry));
    ctx.audit({ targetType: 'execution', targetId: execution.id });
    ctx.afterCommit(() => notifyExecutions(ctx.services, projectId));
    return presentExecution(execution);
  },
});

/** Why the contact does not enter, by the rule that says so. */
function blockedBy(reason: BlockReason, { limit, every }: EntryRules): AppError {
  const times = `${limit} ${limit === 1 ? 'time' : 'times'}`;
  const interval = `${every?.amount} ${every?.unit}`;
  const { CONFLICT } = suggestions;
  const [message, suggestion] = {
    filter: ['The contact does not match the entry filter of this workflow', CONFLICT.entryFilter] as const,
    active: ['The contact is already in this workflow', CONFLICT.contactInWorkflow] as const,
    again: [
      'The contact has already entered this workflow, and re-entry is not allowed',
      CONFLICT.noReentry,
    ] as const,
    limit: [
      `The contact has entered this workflow ${times}, and may not enter it more often`,
      CONFLICT.entryLimit,
    ] as const,
    every: [
      `The contact has entered this workflow within the last ${interval}`,
      CONFLICT.entryInterval,
    ] as const,
  }[reason];
  return conflict(message, { details: { rule: reason }, suggestion });
}
