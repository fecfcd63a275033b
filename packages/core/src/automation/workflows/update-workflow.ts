import type { z } from 'zod';
import { segmentExists } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { AppError, type CommandContext, command, invalid, projectIdOf } from '../../base/kernel/index.ts';
import { assertInForce, assertSize, problemsOfEnds } from './definitions/check-definition.ts';
import { type DefinedStep, isSameJson, type WorkflowDefinition } from './definitions/definition.rules.ts';
import { readLive, writeLive } from './definitions/definitions.store.ts';
import { withChangedStep } from './definitions/edits.rules.ts';
import type { ExitRule, WorkflowGoal } from './definitions/ends.rules.ts';
import { type Editing, editingOf, saveEdit } from './edit.ts';
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
import { publishDefinition, saveColumns } from './versions/publish-definition.ts';
import { updateWorkflowInput, workflowDetail, workflowShape } from './workflows.schema.ts';
import { lockWorkflow, presentWorkflow, type WorkflowColumns, type WorkflowRow } from './workflows.store.ts';

export const updateWorkflow = command({
  name: 'workflows.update',
  summary: 'Updates a workflow, including its trigger',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: updateWorkflowInput,
  output: workflowShape,
  record: workflowDetail,
  async handler(
    ctx,
    { id, triggerType, triggerConfig, enabled, allowReentry, goals, exits, publish, ...rest },
  ) {
    if (triggerType !== undefined) assertComesWithConfig(triggerType, triggerConfig);
    const before = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!before) throw workflowNotFound();
    // A form sends all of its fields: one that is as it was changes no definition.
    const changesReentry =
      allowReentry !== undefined && (publish === false || allowReentry !== before.allowReentry);
    const changesEnds =
      (goals !== undefined && (publish === false || !isSameJson(goals, before.goals))) ||
      (exits !== undefined && (publish === false || !isSameJson(exits, before.exits)));
    const isEdit = triggerType !== undefined || triggerConfig !== undefined || changesReentry || changesEnds;
    // Name, description and `enabled` belong to no definition: they hold at once, beside a draft too.
    const editing = isEdit ? await editingOf(ctx, before, publish) : null;
    const live = editing?.live ?? (await readLive(ctx.db, before));
    const edited = editing
      ? await edit(ctx, editing, { triggerType, triggerConfig, allowReentry, goals, exits })
      : live;
    const drafts = editing !== null && before.version !== null && !editing.publish;
    const definition = drafts ? live : edited;
    const isFirst = before.version === null && enabled === true;
    const hasOtherTrigger = !isSameTrigger(live, definition);
    if (enabled ?? before.enabled) assertCanBeEnabled(definition.triggerType, definition.triggerConfig);
    if (isFirst) await assertInForce(ctx, definition, { whole: true });
    // Changing the trigger of an enabled workflow decides who gets its email.
    if (enabled || (before.enabled && hasOtherTrigger)) await assertMaySend(ctx, definition.steps);
    const columns = { ...rest, ...(enabled === undefined ? {} : { enabled }) };
    const workflow = await save(ctx, before, { live, definition, columns, isFirst });
    const shown = drafts ? await saveEdit(ctx, { ...editing, workflow }, edited) : workflow;
    ctx.audit({
      targetType: 'workflow',
      targetId: id,
      changed: [...changedFields(before, shown), ...(drafts ? ['draft'] : [])],
    });
    return presentWorkflow(ctx.db, shown);
  },
});

/** The definition with another trigger, rule of re-entry, goals or exit rules. */
async function edit(
  ctx: CommandContext,
  { workflow: { projectId }, definition }: Editing,
  given: {
    triggerType: TriggerType | undefined;
    triggerConfig: TriggerConfigInput | undefined;
    allowReentry: boolean | undefined;
    goals: WorkflowGoal[] | undefined;
    exits: ExitRule[] | undefined;
  },
): Promise<WorkflowDefinition> {
  const trigger = triggerOf(definition, given.triggerType, given.triggerConfig);
  if (trigger.isNew)
    await assertSegmentsExist(ctx.db, projectId, readsOfTrigger(trigger.type, trigger.config));
  const step = definition.steps.find(({ type }) => type === 'TRIGGER');
  const after = {
    ...definition,
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    allowReentry: given.allowReentry ?? definition.allowReentry,
    goals: given.goals ?? definition.goals,
    exits: given.exits ?? definition.exits,
  };
  if (given.goals !== undefined || given.exits !== undefined) {
    const problems = await problemsOfEnds(ctx, after);
    if (problems.length > 0) throw invalid(problems);
    assertSize(definition, after);
  }
  return step && trigger.isNew
    ? withChangedStep(after, step.id, followed(step, definition, trigger), new Date())
    : after;
}

/** Saves what holds at once: as a new version where the live definition changes, or where it is enabled for the first time. */
async function save(
  ctx: CommandContext,
  workflow: WorkflowRow,
  {
    live,
    definition,
    columns,
    isFirst,
  }: { live: WorkflowDefinition; definition: WorkflowDefinition; columns: WorkflowColumns; isFirst: boolean },
): Promise<WorkflowRow> {
  const isOther = !isSameJson(live, definition);
  if (isFirst || (workflow.version !== null && isOther)) {
    if (!isFirst) await assertInForce(ctx, definition, { whole: false });
    const published = await publishDefinition(ctx, {
      workflow,
      live,
      definition,
      note: null,
      move: null,
      columns,
    });
    return published.workflow;
  }
  if (isOther) await writeLive(ctx.db, workflow, live, definition);
  return saveColumns(ctx, workflow, definition, columns);
}

const isSameTrigger = (one: WorkflowDefinition, other: WorkflowDefinition): boolean =>
  one.triggerType === other.triggerType && isSameJson(one.triggerConfig, other.triggerConfig);

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
  before: WorkflowDefinition,
  givenType: TriggerType | undefined,
  given: TriggerConfigInput | undefined,
): Trigger {
  const type = givenType ?? before.triggerType;
  const stored = before.triggerConfig;
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
function followed(step: DefinedStep, before: WorkflowDefinition, { type, config }: Trigger) {
  const isOurName = step.name === triggerName(before.triggerType, before.triggerConfig);
  return {
    config: triggerStepConfig(type, config),
    ...(isOurName ? { name: triggerName(type, config) } : {}),
  };
}

const observed = Object.keys(updateWorkflowInput.omit({ id: true, publish: true }).shape) as Exclude<
  keyof z.output<typeof updateWorkflowInput>,
  'id' | 'publish'
>[];

const changedFields = (before: WorkflowRow, after: WorkflowRow): string[] =>
  observed.filter((field) => !isSameJson(before[field], after[field]));
