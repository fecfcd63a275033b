import { badRequest, command, projectIdOf } from '../../base/kernel/index.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { transitionProblem } from './workflows.rules.ts';
import { addTransitionInput, transitionShape } from './workflows.schema.ts';
import { changeWorkflow, insertTransition, lockWorkflow, readGraph } from './workflows.store.ts';

export const addTransition = command({
  name: 'workflows.addTransition',
  summary: 'Adds a transition between two steps of a workflow',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: addTransitionInput,
  output: transitionShape,
  async handler(ctx, { id, fromStepId, toStepId, priority, condition, ...given }) {
    const workflow = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const graph = await readGraph(ctx.db, id);
    for (const stepId of [fromStepId, toStepId]) {
      if (!graph.steps.some((step) => step.id === stepId)) throw partNotFound('Step');
    }
    const added = {
      fromStepId,
      toStepId,
      branch: given.branch ?? condition?.branch ?? null,
      waitOutcome: given.waitOutcome ?? null,
    };
    const problem = transitionProblem(graph, added);
    if (problem) throw badRequest(problem);
    const transition = await insertTransition(ctx.db, workflow, added, priority);
    await changeWorkflow(ctx.db, id);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['transitions'] });
    return transition;
  },
});
