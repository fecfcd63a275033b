import { badRequest, command, conflict, projectIdOf } from '../kernel/index.ts';
import { assertSettingsMayChange, assertStepsMayGo, assertTransitionsMayGo } from './assert-unused.ts';
import { readGraphChange } from './graph-change.ts';
import { workflowNotFound } from './not-found.ts';
import { presentDetail } from './present-detail.ts';
import { requireTemplate } from './require-template.ts';
import { replaceGraphInput, workflowDetail } from './workflows.schema.ts';
import {
  changeStep,
  changeWorkflow,
  findForeignSteps,
  insertStep,
  insertTransition,
  lockWorkflow,
  readGraph,
  refreshInterests,
  removeSteps,
  removeTransition,
} from './workflows.store.ts';

export const replaceGraph = command({
  name: 'workflows.replaceGraph',
  summary: 'Replaces all steps and transitions of a workflow at once',
  permission: 'data:write',
  errors: ['BAD_REQUEST', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: replaceGraphInput,
  output: workflowDetail,
  async handler(ctx, { id, ifUpdatedAt, steps, transitions }) {
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    if (ifUpdatedAt !== undefined && Date.parse(ifUpdatedAt) !== workflow.updatedAt.getTime()) {
      throw conflict('The workflow has changed since it was read', {
        suggestion: 'Read the workflow again and repeat your change',
      });
    }
    const before = await readGraph(ctx.db, id);
    const change = readGraphChange(before, { steps, transitions });
    const added = change.addedSteps.map((step) => step.id);
    if ((await findForeignSteps(ctx.db, id, added)).length > 0)
      throw badRequest('A step of another workflow has this id. Use a new id for a new step');
    for (const step of [...change.addedSteps, ...change.changedSteps]) {
      await requireTemplate(ctx, step.templateId);
    }
    if (change.changedSteps.some(({ config, templateId }) => config || templateId !== undefined))
      await assertSettingsMayChange(ctx.db, workflow);
    await assertStepsMayGo(ctx.db, workflow, change.lostSteps);
    await assertTransitionsMayGo(ctx.db, workflow, before.transitions, change.cutTransitions);

    for (const transition of change.lostTransitions) await removeTransition(ctx.db, id, transition.id);
    await removeSteps(ctx.db, id, change.lostSteps);
    for (const step of change.addedSteps) {
      await insertStep(ctx.db, { ...step, projectId, workflowId: id });
    }
    for (const { step, ...changed } of change.changedSteps) await changeStep(ctx.db, step, changed);
    for (const { priority, ...transition } of change.addedTransitions) {
      await insertTransition(ctx.db, workflow, transition, priority);
    }
    const changed = await changeWorkflow(ctx.db, id);
    const after = await readGraph(ctx.db, id);
    await refreshInterests(ctx.db, changed, after.steps);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps', 'transitions'] });
    return presentDetail(ctx.db, changed);
  },
});
