import type { Db } from '../../base/db/index.ts';
import { command } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { definitionFrom, findDraft, keysOf } from './definitions/definitions.store.ts';
import { keyFromName, takeKey } from './definitions/step-keys.rules.ts';
import { assertUnchanged, openEditing, saveEdit } from './edit.ts';
import { withGraph } from './graph-change.ts';
import { presentDetail } from './present-detail.ts';
import { requireTemplate } from './require-template.ts';
import { workflowIdOf } from './workflow-id.ts';
import { type GraphStepInput, replaceGraphInput, workflowDetail } from './workflows.schema.ts';
import { findEarlierSteps, findForeignSteps } from './workflows.store.ts';

export const replaceGraph = command({
  name: 'workflows.replaceGraph',
  summary: 'Replaces all steps and transitions of a workflow at once',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: replaceGraphInput,
  output: workflowDetail,
  async handler(ctx, { id: named, ifUpdatedAt, publish, steps, transitions }) {
    const id = await workflowIdOf(ctx, named);
    const editing = await openEditing(ctx, id, publish);
    assertUnchanged(editing, ifUpdatedAt);
    const { definition: before } = editing;
    const known = new Set(before.steps.map(({ templateId }) => templateId));
    for (const templateId of new Set(steps.map((step) => step.templateId))) {
      if (templateId && !known.has(templateId)) await requireTemplate(ctx, templateId);
    }
    const stored = new Set(before.steps.map((step) => step.id));
    const added = steps.filter((step) => !stored.has(step.id));
    const names = await namesOfAdded(ctx.db, id, added);
    const graph = withGraph(before, { steps, transitions }, { ...names, now: new Date() });
    const places = new Map(steps.map((step, index) => [names.idOf(step.id), `steps.${index}.`]));
    const workflow = await saveEdit(
      ctx,
      editing,
      { ...before, ...graph },
      ({ id: stepId }) => places.get(stepId) ?? '',
    );
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps', 'transitions'] });
    const draft = await findDraft(ctx.db, workflow.projectId, id);
    return presentDetail(ctx.db, workflow, draft ? definitionFrom(draft.definition) : undefined);
  },
});

/**
 * Ids and keys of added steps. An id is one step for good: one that another workflow has is replaced, and so is one of a step of this
 * workflow with another type; a step of an earlier version comes back with its key.
 */
async function namesOfAdded(
  db: Db,
  workflowId: string,
  added: readonly GraphStepInput[],
): Promise<Pick<Parameters<typeof withGraph>[2], 'idOf' | 'keyOf'>> {
  if (added.length === 0) return { idOf: (id) => id, keyOf: ({ name, type }) => keyFromName(type, name) };
  const ids = added.map(({ id }) => id);
  const foreign = new Set((await findForeignSteps(db, workflowId, ids)).map(({ id }) => id));
  const earlier = await findEarlierSteps(db, workflowId, ids);
  const taken = await keysOf(db, workflowId);
  const comesBack = ({ id, type }: GraphStepInput) => earlier.get(id)?.type === type;
  const others = new Map(
    added
      .filter((step) => foreign.has(step.id) || (earlier.has(step.id) && !comesBack(step)))
      .map(({ id }) => [id, newId()]),
  );
  return {
    idOf: (id) => others.get(id) ?? id,
    keyOf: (step) =>
      (comesBack(step) ? earlier.get(step.id)?.key : undefined) ?? takeKey(taken, step.type, step.name),
  };
}
