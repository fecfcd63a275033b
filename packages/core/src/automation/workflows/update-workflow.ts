import type { z } from 'zod';
import { segmentExists } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { AppError, command, conflict, invalid, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { hasActiveExecutions } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { assertMaySend } from './require-template.ts';
import {
  assertCanBeEnabled,
  readsOfTrigger,
  readTriggerConfig,
  triggerName,
  triggerStepConfig,
} from './trigger.ts';
import type { TriggerConfig } from './triggers/trigger.rules.ts';
import { type TriggerConfigInput, type TriggerType, triggerDefinition } from './triggers/triggers.schema.ts';
import { keepScheduleJob } from './workflows.jobs.ts';
import { updateWorkflowInput, workflowDetail, workflowShape } from './workflows.schema.ts';
import {
  asObject,
  changeStep,
  changeWorkflow,
  isSameJson,
  lockWorkflow,
  presentWorkflow,
  readGraph,
  refreshInterests,
  type StepRow,
  triggerFromNowOn,
  type WorkflowRow,
} from './workflows.store.ts';

export const updateWorkflow = command({
  name: 'workflows.update',
  summary: 'Updates a workflow, including its trigger',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: updateWorkflowInput,
  output: workflowShape,
  record: workflowDetail,
  async handler(ctx, { id, triggerType, triggerConfig, enabled, ...rest }) {
    if (triggerType !== undefined) assertComesWithConfig(triggerType, triggerConfig);
    const projectId = projectIdOf(ctx);
    const before = await lockWorkflow(ctx.db, projectId, id);
    if (!before) throw workflowNotFound();
    const trigger = triggerOf(before, triggerType, triggerConfig);
    const reads = readsOfTrigger(trigger.type, trigger.config);
    if (trigger.isNew) await assertSegmentsExist(ctx.db, projectId, reads);
    if (trigger.isNew && (await hasActiveExecutions(ctx.db, projectId, id))) {
      throw conflict('The trigger cannot be changed while the workflow has active executions', {
        suggestion: suggestions.CONFLICT.activeExecutions,
      });
    }
    if (enabled ?? before.enabled) assertCanBeEnabled(trigger.type, trigger.config);
    const { steps } = await readGraph(ctx.db, id);
    // Changing the trigger of an enabled workflow decides who gets its email.
    if (enabled || (before.enabled && trigger.isNew)) await assertMaySend(ctx, steps);
    const workflow = await changeWorkflow(ctx.db, id, {
      ...rest,
      ...(enabled === undefined ? {} : { enabled }),
      triggerType: trigger.type,
      triggerConfig: trigger.config as object,
      reads,
    });
    if (workflow.enabled && (trigger.isNew || !before.enabled)) await triggerFromNowOn(ctx.db, id);
    const step = steps.find(({ type }) => type === 'TRIGGER');
    if (step && trigger.isNew) await changeStep(ctx.db, step, followed(step, before, trigger));
    await refreshInterests(ctx.db, workflow, steps);
    if ([before.triggerType, trigger.type].some((type) => triggerDefinition(type).isScheduled))
      ctx.afterCommit(() => ctx.services.workflows.signalDebounced(keepScheduleJob, { workflowId: id }));
    ctx.audit({ targetType: 'workflow', targetId: id, changed: changedFields(before, workflow) });
    return presentWorkflow(workflow);
  },
});

interface Trigger {
  type: TriggerType;
  config: TriggerConfig;
  isNew: boolean;
}

function assertComesWithConfig(type: TriggerType, config: TriggerConfigInput | undefined): void {
  if (config !== undefined) void readTriggerConfig(type, config, true);
  else if (triggerDefinition(type).needed !== null)
    throw invalid([{ field: 'triggerConfig', code: 'required', message: 'Required' }]);
}

function triggerOf(
  before: WorkflowRow,
  givenType: TriggerType | undefined,
  given: TriggerConfigInput | undefined,
): Trigger {
  const type = givenType ?? before.triggerType;
  const stored = asObject(before.triggerConfig);
  if (given === undefined && type === before.triggerType) return { type, config: stored, isNew: false };
  const config = readTriggerConfig(type, given ?? {}, givenType !== undefined);
  return { type, config, isNew: type !== before.triggerType || !isSameJson(config, stored) };
}

async function assertSegmentsExist(db: Db, projectId: string, reads: readonly string[]): Promise<void> {
  for (const read of reads.filter((each) => each.startsWith('segment.'))) {
    if (!(await segmentExists(db, projectId, read.slice('segment.'.length))))
      throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
  }
}

/** The TRIGGER step follows the trigger; a name that a user set is kept. */
function followed(step: StepRow, before: WorkflowRow, { type, config }: Trigger) {
  const isOurName = step.name === triggerName(before.triggerType, asObject(before.triggerConfig));
  return {
    config: triggerStepConfig(type, config),
    ...(isOurName ? { name: triggerName(type, config) } : {}),
  };
}

const observed = Object.keys(updateWorkflowInput.omit({ id: true }).shape) as Exclude<
  keyof z.output<typeof updateWorkflowInput>,
  'id'
>[];

const changedFields = (before: WorkflowRow, after: WorkflowRow): string[] =>
  observed.filter((field) => !isSameJson(before[field], after[field]));
