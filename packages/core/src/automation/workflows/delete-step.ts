import { badRequest, command, emptyObject } from '../../base/kernel/index.ts';
import type { DefinedStep, WorkflowDefinition } from './definitions/definition.rules.ts';
import { withoutSteps, withRedirected } from './definitions/edits.rules.ts';
import { openEditing, saveEdit } from './edit.ts';
import { partNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { hasSeveralWays, lostWith } from './workflows.rules.ts';
import { deleteStepInput } from './workflows.schema.ts';

export const deleteStep = command({
  name: 'workflows.deleteStep',
  summary: 'Deletes a step, either with the steps reached only through it or by splicing it out',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: deleteStepInput,
  output: emptyObject,
  async handler(ctx, { id: named, stepId, splice = false, publish }) {
    const id = await workflowIdOf(ctx, named);
    const editing = await openEditing(ctx, id, publish);
    const { definition } = editing;
    const step = definition.steps.find((each) => each.id === stepId);
    if (!step) throw partNotFound('Step');
    if (step.type === 'TRIGGER') throw badRequest('The TRIGGER step of a workflow cannot be deleted');
    if (splice && hasSeveralWays(step.type))
      throw badRequest(`A ${step.type} step has several branches and cannot be spliced`);
    const after = splice
      ? withoutSteps(joinedAround(definition, step), new Set([stepId]))
      : withoutSteps(definition, lostWith(stepId, definition));
    await saveEdit(ctx, editing, after);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    return {};
  },
});

/** Redirects the transitions to the step to its follower. */
function joinedAround(definition: WorkflowDefinition, step: DefinedStep): WorkflowDefinition {
  const follower = definition.transitions.find(({ fromStepId }) => fromStepId === step.id)?.toStepId;
  return follower === undefined ? definition : withRedirected(definition, step.id, follower, new Date());
}
