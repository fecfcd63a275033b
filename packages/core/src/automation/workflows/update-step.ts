import { badRequest, command, conflict, suggestions } from '../../base/kernel/index.ts';
import { type DefinedStep, isSameJson } from './definitions/definition.rules.ts';
import { type StepChange, withChangedStep } from './definitions/edits.rules.ts';
import { openEditing, saveEdit } from './edit.ts';
import { partNotFound } from './not-found.ts';
import { presentEdit } from './present-edit.ts';
import { readStepConfig } from './read-step-config.ts';
import { requireTemplate } from './require-template.ts';
import { workflowIdOf } from './workflow-id.ts';
import { strandedBy } from './workflows.rules.ts';
import { editedStep, updateStepInput, workflowDetail } from './workflows.schema.ts';
import { presentStep } from './workflows.store.ts';

export const updateStep = command({
  name: 'workflows.updateStep',
  summary: 'Updates a step of a workflow',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: updateStepInput,
  output: editedStep,
  record: workflowDetail.shape.steps.element,
  async handler(ctx, { id: named, stepId, name, position, publish, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const editing = await openEditing(ctx, id, publish);
    const { steps, transitions } = editing.definition;
    const before = steps.find((step) => step.id === stepId);
    if (!before) throw partNotFound('Step');
    const change = readChange(before, given);
    await requireTemplate(ctx, change.templateId);
    const outgoing = transitions.filter(({ fromStepId }) => fromStepId === stepId);
    const problem = change.config === undefined ? null : strandedBy(before.type, change.config, outgoing);
    if (problem) throw conflict(problem, { suggestion: suggestions.CONFLICT.wayOutUsed });
    const after = withChangedStep(editing.definition, stepId, { name, position, ...change }, new Date());
    const workflow = await saveEdit(ctx, editing, after);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    const step = after.steps.find((each) => each.id === stepId) ?? before;
    return { ...presentStep(id, step), ...(await presentEdit(ctx.db, workflow)) };
  },
});

/** Configuration and template, if they differ from the stored ones. */
function readChange(
  before: DefinedStep,
  given: { config?: Record<string, unknown> | undefined; templateId?: string | null | undefined },
): Pick<StepChange, 'config' | 'templateId'> {
  const read = given.config === undefined ? null : readStepConfig(before.type, given.config);
  if (before.type === 'TRIGGER') return triggerChange(before, read?.config);
  const templateId = given.templateId === undefined ? read?.templateId : given.templateId;
  return {
    ...(read && !isSameJson(read.config, before.config) ? { config: read.config } : {}),
    ...(templateId !== undefined && templateId !== before.templateId ? { templateId } : {}),
  };
}

/** The configuration of a TRIGGER step comes from its workflow and cannot be changed here. */
function triggerChange(before: DefinedStep, config: Record<string, unknown> | undefined): StepChange {
  const named = config?.['eventName'];
  if (named === undefined || named === before.config['eventName']) return {};
  throw badRequest('The event of a TRIGGER step can only be changed through its workflow', {
    suggestion: 'Send PATCH /workflows/:id with triggerConfig.eventName',
  });
}
