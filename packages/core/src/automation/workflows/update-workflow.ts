import type { z } from 'zod';
import { assertFilterTree, segmentExists } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import {
  AppError,
  type CommandContext,
  command,
  conflict,
  invalid,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import {
  assertInForce,
  assertSegmentIsTracked,
  assertSize,
  problemsOfEnds,
  problemsOfEntry,
} from './definitions/check-definition.ts';
import { type DefinedStep, isSameJson, type WorkflowDefinition } from './definitions/definition.rules.ts';
import { readLive, writeLive } from './definitions/definitions.store.ts';
import { withChangedStep } from './definitions/edits.rules.ts';
import type { ExitRule, WorkflowGoal } from './definitions/ends.rules.ts';
import { type Editing, editingOf, saveEdit } from './edit.ts';
import { type EntryRules, entryOf } from './entries/entry.rules.ts';
import { workflowNotFound } from './not-found.ts';
import { assertMaySend } from './require-template.ts';
import { assertCanBeEnabled, readTriggerConfig, triggerName, triggerStepConfig } from './trigger.ts';
import { filterOfTrigger } from './triggers/schedule.trigger.ts';
import { type TriggerConfig, textIn } from './triggers/trigger.rules.ts';
import { type TriggerConfigInput, type TriggerType, triggerDefinition } from './triggers/triggers.schema.ts';
import { publishDefinition, saveColumns } from './versions/publish-definition.ts';
import { workflowIdOf } from './workflow-id.ts';
import { updateWorkflowInput, workflowDetail, workflowShape } from './workflows.schema.ts';
import {
  findOtherWithAlias,
  lockWorkflow,
  presentWorkflow,
  type WorkflowColumns,
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
  async handler(
    ctx,
    {
      id: named,
      triggerType,
      triggerConfig,
      enabled,
      allowReentry,
      entry,
      timeZone,
      goals,
      exits,
      publish,
      ...rest
    },
  ) {
    if (triggerType !== undefined) assertComesWithConfig(triggerType, triggerConfig);
    const id = await workflowIdOf(ctx, named);
    const before = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!before) throw workflowNotFound();
    await assertFreeAlias(ctx, before, rest.alias);
    // A form sends all of its fields: one that is as it was changes no definition.
    const given = { allowReentry, entry, timeZone, goals, exits };
    const changesRules =
      publish === false
        ? Object.values(given).some((value) => value !== undefined)
        : changesRulesOf(before, given);
    const isEdit = triggerType !== undefined || triggerConfig !== undefined || changesRules;
    // Name, description and `enabled` belong to no definition: they hold at once, beside a draft too.
    const editing = isEdit ? await editingOf(ctx, before, publish) : null;
    const live = editing?.live ?? (await readLive(ctx.db, before));
    const edited = editing ? await edit(ctx, editing, { triggerType, triggerConfig, ...given }) : live;
    const drafts = editing !== null && before.version !== null && !editing.publish;
    const definition = drafts ? live : edited;
    const isFirst = before.version === null && enabled === true;
    const hasOtherTrigger = !isSameTrigger(live, definition);
    if (enabled ?? before.enabled) {
      assertCanBeEnabled(definition.triggerType, definition.triggerConfig);
      if (enabled || hasOtherTrigger) await assertSegmentIsTracked(ctx, definition);
    }
    if (isFirst) await assertInForce(ctx, definition, { whole: true });
    // Changing the trigger of an enabled workflow decides who gets its email.
    if (enabled || (before.enabled && hasOtherTrigger)) await assertMaySend(ctx, definition.steps);
    const columns = {
      ...rest,
      ...(enabled === undefined ? {} : { enabled }),
      ...(enabled === true && { disabledReason: null }),
    };
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

async function assertFreeAlias(
  ctx: CommandContext,
  { id, projectId }: WorkflowRow,
  alias: string | null | undefined,
): Promise<void> {
  if (alias === null || alias === undefined) return;
  const workflowId = await findOtherWithAlias(ctx.db, projectId, alias, id);
  if (workflowId === null) return;
  throw conflict(`Another workflow has the alias ${alias}`, {
    details: { workflowId },
    suggestion: suggestions.CONFLICT.workflowAliasTaken,
  });
}

/** The definition with another trigger, or other rules of entry and exit. */
async function edit(
  ctx: CommandContext,
  { workflow: { projectId }, definition }: Editing,
  given: {
    triggerType: TriggerType | undefined;
    triggerConfig: TriggerConfigInput | undefined;
  } & GivenRules,
): Promise<WorkflowDefinition> {
  const trigger = triggerOf(definition, given.triggerType, given.triggerConfig);
  if (trigger.isNew) await assertTriggerReferences(ctx.db, projectId, trigger.config);
  if (given.entry?.filter) await assertFilterTree(ctx.db, projectId, given.entry.filter, 'entry.filter');
  const step = definition.steps.find(({ type }) => type === 'TRIGGER');
  const after = {
    ...definition,
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    allowReentry: given.allowReentry ?? definition.allowReentry,
    entry: given.entry ?? definition.entry,
    timeZone: given.timeZone === undefined ? definition.timeZone : given.timeZone,
    goals: given.goals ?? definition.goals,
    exits: given.exits ?? definition.exits,
  };
  const changesEnds = given.goals !== undefined || given.exits !== undefined;
  const problems = [...problemsOfEntry(after), ...(changesEnds ? await problemsOfEnds(ctx, after) : [])];
  if (problems.length > 0) throw invalid(problems);
  if (changesEnds) assertSize(definition, after);
  return step && trigger.isNew
    ? withChangedStep(after, step.id, followed(step, definition, trigger), new Date())
    : after;
}

/** What of a definition says who enters, by which clock, and what ends it. */
interface GivenRules {
  allowReentry: boolean | undefined;
  entry: EntryRules | undefined;
  timeZone: string | null | undefined;
  goals: WorkflowGoal[] | undefined;
  exits: ExitRule[] | undefined;
}

const changesRulesOf = (
  before: WorkflowRow,
  { allowReentry, entry, timeZone, goals, exits }: GivenRules,
): boolean =>
  (goals !== undefined && !isSameJson(goals, before.goals)) ||
  (exits !== undefined && !isSameJson(exits, before.exits)) ||
  (allowReentry !== undefined && allowReentry !== before.allowReentry) ||
  (entry !== undefined && !isSameJson(entry, entryOf(before.entry))) ||
  (timeZone !== undefined && timeZone !== before.timeZone);

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

async function assertTriggerReferences(db: Db, projectId: string, config: TriggerConfig): Promise<void> {
  const segmentId = textIn(config, 'segmentId');
  if (segmentId !== undefined && !(await segmentExists(db, projectId, segmentId)))
    throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
  const filter = filterOfTrigger(config);
  if (filter) await assertFilterTree(db, projectId, filter, 'triggerConfig.filter');
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
  observed.filter((field) => !isSameJson(shownIn(before, field), shownIn(after, field)));

const shownIn = (row: WorkflowRow, field: (typeof observed)[number]): unknown =>
  field === 'entry' ? entryOf(row.entry) : row[field];
