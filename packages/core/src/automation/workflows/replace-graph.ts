import type { Db } from '../../base/db/index.ts';
import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
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
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: replaceGraphInput,
  output: workflowDetail,
  async handler(ctx, { id, ifUpdatedAt, steps, transitions }) {
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    if (ifUpdatedAt !== undefined && Date.parse(ifUpdatedAt) !== workflow.updatedAt.getTime()) {
      throw conflict('The workflow has changed since it was read', {
        suggestion: suggestions.CONFLICT.workflowChanged,
      });
    }
    const before = await readGraph(ctx.db, id);
    const known = new Set(before.steps.map(({ templateId }) => templateId));
    for (const templateId of new Set(steps.map((step) => step.templateId))) {
      if (templateId && !known.has(templateId)) await requireTemplate(ctx, templateId);
    }
    const change = readGraphChange(before, { steps, transitions });
    const ids = await freeIds(
      ctx.db,
      id,
      change.addedSteps.map((step) => step.id),
    );
    const idOf = (stepId: string): string => ids.get(stepId) ?? stepId;
    if (change.changedSteps.some(({ config, templateId }) => config || templateId !== undefined))
      await assertSettingsMayChange(ctx.db, workflow);
    await assertStepsMayGo(ctx.db, workflow, change.lostSteps);
    await assertTransitionsMayGo(ctx.db, workflow, before.transitions, change.cutTransitions);

    for (const transition of change.lostTransitions) await removeTransition(ctx.db, id, transition.id);
    await removeSteps(ctx.db, id, change.lostSteps);
    for (const step of change.addedSteps) {
      await insertStep(ctx.db, { ...step, id: idOf(step.id), projectId, workflowId: id });
    }
    for (const { step, ...changed } of change.changedSteps) await changeStep(ctx.db, step, changed);
    for (const { priority, ...transition } of change.addedTransitions) {
      const [fromStepId, toStepId] = [idOf(transition.fromStepId), idOf(transition.toStepId)];
      await insertTransition(ctx.db, workflow, { ...transition, fromStepId, toStepId }, priority);
    }
    const changed = await changeWorkflow(ctx.db, id);
    const after = await readGraph(ctx.db, id);
    await refreshInterests(ctx.db, changed, after.steps);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps', 'transitions'] });
    return presentDetail(ctx.db, changed);
  },
});

/** Other ids for those that steps of other workflows have, of any project: an id is unique. */
async function freeIds(db: Db, workflowId: string, ids: string[]): Promise<Map<string, string>> {
  const taken = await findForeignSteps(db, workflowId, ids);
  return new Map(taken.map(({ id }) => [id, newId()]));
}
