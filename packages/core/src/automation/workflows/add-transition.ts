import { badRequest, command } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { withTransition } from './definitions/edits.rules.ts';
import { openEditing, saveEdit } from './edit.ts';
import { partNotFound } from './not-found.ts';
import { presentEdit } from './present-edit.ts';
import { workflowIdOf } from './workflow-id.ts';
import { transitionProblem } from './workflows.rules.ts';
import { addTransitionInput, editedTransition } from './workflows.schema.ts';

export const addTransition = command({
  name: 'workflows.addTransition',
  summary: 'Adds a transition between two steps of a workflow',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: addTransitionInput,
  output: editedTransition,
  async handler(ctx, { id: named, fromStepId, toStepId, priority = 0, condition, publish, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const editing = await openEditing(ctx, id, publish);
    for (const stepId of [fromStepId, toStepId]) {
      if (!editing.definition.steps.some((step) => step.id === stepId)) throw partNotFound('Step');
    }
    const added = {
      id: newId(),
      fromStepId,
      toStepId,
      branch: given.branch ?? condition?.branch ?? null,
      waitOutcome: given.waitOutcome ?? null,
    };
    const problem = transitionProblem(editing.definition, added);
    if (problem) throw badRequest(problem);
    const { definition, transition } = withTransition(editing.definition, added, priority, new Date());
    const workflow = await saveEdit(ctx, editing, definition);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['transitions'] });
    return { ...transition, workflowId: id, ...(await presentEdit(ctx.db, workflow)) };
  },
});
