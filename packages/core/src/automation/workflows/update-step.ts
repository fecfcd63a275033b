import {
  badRequest,
  type CommandContext,
  command,
  conflict,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { assertSettingsMayChange } from './assert-unused.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { readStepConfig } from './read-step-config.ts';
import { requireTemplate } from './require-template.ts';
import { strandedBy } from './workflows.rules.ts';
import { stepShape, updateStepInput, workflowDetail } from './workflows.schema.ts';
import {
  asObject,
  changeStep,
  changeWorkflow,
  isSameJson,
  lockWorkflow,
  presentStep,
  readGraph,
  refreshInterests,
  type StepChange,
  type StepRow,
  type WorkflowGraph,
  type WorkflowRow,
} from './workflows.store.ts';

export const updateStep = command({
  name: 'workflows.updateStep',
  summary: 'Updates a step of a workflow',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: updateStepInput,
  output: stepShape,
  record: workflowDetail.shape.steps.element,
  async handler(ctx, { id, stepId, name, position, ...given }) {
    const workflow = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const graph = await readGraph(ctx.db, id);
    const before = graph.steps.find((step) => step.id === stepId);
    if (!before) throw partNotFound('Step');
    const change = readChange(before, given);
    await requireTemplate(ctx, change.templateId);
    await assertMayChange(ctx, workflow, graph, before, change);
    const step = await changeStep(ctx.db, before, { name, position, ...change });
    const steps = graph.steps.map((each) => (each.id === stepId ? step : each));
    await refreshInterests(ctx.db, await changeWorkflow(ctx.db, id), steps);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    return presentStep(step);
  },
});

/** Configuration and template, if they differ from the stored ones. */
function readChange(
  before: StepRow,
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
function triggerChange(before: StepRow, config: Record<string, unknown> | undefined): StepChange {
  const named = config?.['eventName'];
  if (named === undefined || named === asObject(before.config)['eventName']) return {};
  throw badRequest('The event of a TRIGGER step can only be changed through its workflow', {
    suggestion: 'Send PATCH /workflows/:id with triggerConfig.eventName',
  });
}

async function assertMayChange(
  ctx: CommandContext,
  workflow: WorkflowRow,
  { transitions }: WorkflowGraph,
  step: StepRow,
  { config, templateId }: StepChange,
): Promise<void> {
  if (config === undefined && templateId === undefined) return;
  await assertSettingsMayChange(ctx.db, workflow);
  const outgoing = transitions.filter(({ fromStepId }) => fromStepId === step.id);
  const problem = config === undefined ? null : strandedBy(step.type, config, outgoing);
  if (problem) throw conflict(problem, { suggestion: suggestions.CONFLICT.activeExecutions });
}
