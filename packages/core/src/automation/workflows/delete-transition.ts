import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { assertTransitionsMayGo } from './assert-unused.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { deleteTransitionInput } from './workflows.schema.ts';
import { changeWorkflow, lockWorkflow, readGraph, removeTransition } from './workflows.store.ts';

export const deleteTransition = command({
  name: 'workflows.deleteTransition',
  summary: 'Deletes a transition',
  permission: 'data:write',
  risk: 'mail',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: deleteTransitionInput,
  output: emptyObject,
  async handler(ctx, { id, transitionId }) {
    const workflow = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const { transitions } = await readGraph(ctx.db, id);
    const transition = transitions.find((each) => each.id === transitionId);
    if (!transition) throw partNotFound('Transition');
    await assertTransitionsMayGo(ctx.db, workflow, transitions, [transition]);
    await removeTransition(ctx.db, id, transitionId);
    await changeWorkflow(ctx.db, id);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['transitions'] });
    return {};
  },
});
