import { badRequest, command } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { keysOf } from './definitions/definitions.store.ts';
import { withStep, withTransition } from './definitions/edits.rules.ts';
import { takeKey } from './definitions/step-keys.rules.ts';
import { openEditing, saveEdit } from './edit.ts';
import { presentEdit } from './present-edit.ts';
import { readStepConfig } from './read-step-config.ts';
import { requireTemplate } from './require-template.ts';
import { workflowIdOf } from './workflow-id.ts';
import { autoConnection } from './workflows.rules.ts';
import { addStepInput, editedStep, maxSteps } from './workflows.schema.ts';
import { presentStep } from './workflows.store.ts';

export const addStep = command({
  name: 'workflows.addStep',
  summary: 'Adds a step to a workflow and connects it to the latest step',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: addStepInput,
  output: editedStep,
  async handler(ctx, { id: named, type, name, position, autoConnect = true, publish, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const { config, templateId } = readStepConfig(type, given.config);
    const editing = await openEditing(ctx, id, publish);
    const chosen = given.templateId ?? templateId ?? null;
    await requireTemplate(ctx, chosen);
    if (type === 'TRIGGER') throw badRequest('A workflow has exactly one TRIGGER step');
    const { definition } = editing;
    if (definition.steps.length >= maxSteps) throw badRequest(`A workflow has at most ${maxSteps} steps`);
    const now = new Date();
    const key = takeKey(await keysOf(ctx.db, id), type, name);
    const stepId = newId();
    const grown = withStep(
      definition,
      { id: stepId, key, type, name, position, config, templateId: chosen },
      now,
    );
    const connection = autoConnect ? autoConnection(definition, stepId) : null;
    const after = connection
      ? withTransition(grown, { ...connection, id: newId() }, 0, now).definition
      : grown;
    const workflow = await saveEdit(ctx, editing, after);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    const step = after.steps.find((each) => each.id === stepId);
    if (!step) throw new Error('an added step is missing');
    return { ...presentStep(id, step), ...(await presentEdit(ctx.db, workflow)) };
  },
});
