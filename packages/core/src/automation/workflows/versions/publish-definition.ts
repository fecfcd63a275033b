import { storeEvent } from '../../../base/event-types/index.ts';
import type { CommandContext } from '../../../base/kernel/index.ts';
import { authorOf, presentAuthor } from '../../../people/audit/index.ts';
import { isSameJson, ownReadsOf, type WorkflowDefinition } from '../definitions/definition.rules.ts';
import { writeLive } from '../definitions/definitions.store.ts';
import { columnsOfTrigger } from '../trigger.ts';
import { triggerDefinition } from '../triggers/triggers.schema.ts';
import { keepScheduleJob } from '../workflows.jobs.ts';
import {
  changeWorkflow,
  countFailuresFromNowOn,
  endColumns,
  refreshInterests,
  triggerFromNowOn,
  type WorkflowColumns,
  type WorkflowRow,
} from '../workflows.store.ts';
import type { MoveRule } from './move.rules.ts';
import { insertVersion, moveVersions, removeUnentered } from './versions.store.ts';

export interface Publication {
  /** as it was, its row locked */
  workflow: WorkflowRow;
  live: WorkflowDefinition;
  definition: WorkflowDefinition;
  note: string | null;
  /** null: executions stay with the version that they began with */
  move: MoveRule | null;
  /** other columns of the workflow that change with it */
  columns?: WorkflowColumns;
}

/** Makes a definition the live one, as the next version. The lock of the workflow's row orders it with entries. */
export async function publishDefinition(
  ctx: CommandContext,
  { workflow, live, definition, note, move, columns = {} }: Publication,
): Promise<{ workflow: WorkflowRow; version: number }> {
  const { id, projectId } = workflow;
  const version = (workflow.version ?? 0) + 1;
  await writeLive(ctx.db, workflow, live, definition);
  await insertVersion(ctx.db, workflow, authorOf(ctx.actor), { version, definition, note, move });
  if (workflow.version !== null) await removeUnentered(ctx.db, id, workflow.version);
  if (move) await moveVersions(ctx.db, id, version);
  const changed = await saveColumns(ctx, workflow, definition, { ...columns, version });
  await storeEvent(ctx.db, 'workflow.published', projectId, {
    workflowId: id,
    workflowName: changed.name,
    version,
    note,
    move: move ? 'ALL' : 'NEW',
    by: (await presentAuthor(ctx.db, authorOf(ctx.actor))).label,
  });
  return { workflow: changed, version };
}

/** Writes the columns of a workflow that its definition decides, and what follows from them. */
export async function saveColumns(
  ctx: CommandContext,
  before: WorkflowRow,
  definition: WorkflowDefinition,
  columns: WorkflowColumns,
): Promise<WorkflowRow> {
  const { triggerType, triggerConfig, allowReentry, entry, timeZone, goals, exits } = definition;
  const workflow = await changeWorkflow(ctx.db, before.id, {
    ...columns,
    triggerType,
    triggerConfig: triggerConfig as object,
    allowReentry,
    entry: entry as object,
    timeZone,
    ...columnsOfTrigger(triggerType, triggerConfig),
    ...endColumns({ goals, exits }),
    reads: ownReadsOf(definition),
  });
  const isNew = triggerType !== before.triggerType || !isSameJson(triggerConfig, before.triggerConfig);
  if (workflow.enabled && (isNew || !before.enabled)) await triggerFromNowOn(ctx.db, before.id);
  if (workflow.enabled && !before.enabled) await countFailuresFromNowOn(ctx.db, before.id);
  await refreshInterests(ctx.db, workflow, definition.steps);
  if ([before.triggerType, triggerType].some((type) => triggerDefinition(type).isScheduled))
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(keepScheduleJob, { workflowId: before.id }));
  return workflow;
}
