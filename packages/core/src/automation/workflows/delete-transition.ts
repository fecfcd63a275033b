import { command, emptyObject } from '../../base/kernel/index.ts';
import { withoutTransitions } from './definitions/edits.rules.ts';
import { openEditing, saveEdit } from './edit.ts';
import { partNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { deleteTransitionInput } from './workflows.schema.ts';

export const deleteTransition = command({
  name: 'workflows.deleteTransition',
  summary: 'Deletes a transition',
  permission: 'data:write',
  risk: 'mail',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: deleteTransitionInput,
  output: emptyObject,
  async handler(ctx, { id: named, transitionId, publish }) {
    const id = await workflowIdOf(ctx, named);
    const editing = await openEditing(ctx, id, publish);
    if (!editing.definition.transitions.some((each) => each.id === transitionId))
      throw partNotFound('Transition');
    await saveEdit(ctx, editing, withoutTransitions(editing.definition, new Set([transitionId])));
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['transitions'] });
    return {};
  },
});
