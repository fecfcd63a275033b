import {
  badRequest,
  type CommandContext,
  command,
  emptyObject,
  projectIdOf,
} from '../../base/kernel/index.ts';
import { assertStepsMayGo } from './assert-unused.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { hasSeveralWays, lostWith } from './workflows.rules.ts';
import { deleteStepInput } from './workflows.schema.ts';
import {
  changeWorkflow,
  lockWorkflow,
  readGraph,
  redirectTransitions,
  refreshInterests,
  removeSteps,
  type StepRow,
  type WorkflowGraph,
} from './workflows.store.ts';

export const deleteStep = command({
  name: 'workflows.deleteStep',
  summary: 'Deletes a step, either with the steps reached only through it or by splicing it out',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: deleteStepInput,
  output: emptyObject,
  async handler(ctx, { id, stepId, splice = false }) {
    const workflow = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const graph = await readGraph(ctx.db, id);
    const step = graph.steps.find((each) => each.id === stepId);
    if (!step) throw partNotFound('Step');
    if (step.type === 'TRIGGER') throw badRequest('The TRIGGER step of a workflow cannot be deleted');
    if (splice && hasSeveralWays(step.type))
      throw badRequest(`A ${step.type} step has several branches and cannot be spliced`);
    const lost = splice ? new Set([stepId]) : lostWith(stepId, graph);
    await assertStepsMayGo(ctx.db, workflow, lost);
    if (splice) await joinAround(ctx, graph, step);
    await removeSteps(ctx.db, id, [...lost]);
    const kept = graph.steps.filter((each) => !lost.has(each.id));
    await refreshInterests(ctx.db, await changeWorkflow(ctx.db, id), kept);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    return {};
  },
});

/** Redirects the transitions to the step to its follower. */
async function joinAround(ctx: CommandContext, { transitions }: WorkflowGraph, step: StepRow): Promise<void> {
  const follower = transitions.find(({ fromStepId }) => fromStepId === step.id)?.toStepId;
  if (follower === undefined) return;
  const incoming = transitions.filter(({ toStepId }) => toStepId === step.id);
  await redirectTransitions(ctx.db, incoming, follower);
}
