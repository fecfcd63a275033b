import { type CommandContext, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { authorOf } from '../../people/audit/index.ts';
import { assertInForce, assertSize } from './definitions/check-definition.ts';
import { assertTrees } from './definitions/check-trees.ts';
import { type DefinedStep, isSameJson, type WorkflowDefinition } from './definitions/definition.rules.ts';
import {
  type DraftRow,
  definitionFrom,
  findDraft,
  readLive,
  writeDraft,
  writeLive,
} from './definitions/definitions.store.ts';
import { differenceOf } from './definitions/difference.rules.ts';
import { workflowNotFound } from './not-found.ts';
import { publishDefinition, saveColumns } from './versions/publish-definition.ts';
import { findWorkflow, lockWorkflow, presentDraft, type WorkflowRow } from './workflows.store.ts';

/** A workflow that is being edited, its row locked. */
export interface Editing {
  workflow: WorkflowRow;
  draft: DraftRow | null;
  live: WorkflowDefinition;
  /** what the edit changes: the draft if there is one, else the live definition */
  definition: WorkflowDefinition;
  /** whether the edit is in force at once */
  publish: boolean;
}

/**
 * Begins an edit of a definition (behaviour B14.2). Before the first version there is only one definition, and `publish` says nothing.
 *
 * @throws AppError WORKFLOW_NOT_FOUND; CONFLICT when the edit would be published beside a draft, somebody's unfinished work
 */
export async function openEditing(ctx: CommandContext, id: string, publish = true): Promise<Editing> {
  const workflow = await lockWorkflow(ctx.db, projectIdOf(ctx), id);
  if (!workflow) throw workflowNotFound();
  return editingOf(ctx, workflow, publish);
}

export async function editingOf(
  ctx: CommandContext,
  workflow: WorkflowRow,
  publish = true,
): Promise<Editing> {
  const live = await readLive(ctx.db, workflow);
  const draft = workflow.version === null ? null : await findDraft(ctx.db, workflow.projectId, workflow.id);
  if (draft && publish) {
    throw conflict('The workflow has a draft, which an edit that is in force at once would pass by', {
      details: { draft: await presentDraft(ctx.db, draft) },
      suggestion: suggestions.CONFLICT.workflowDraft,
    });
  }
  return { workflow, draft, live, definition: draft ? definitionFrom(draft.definition) : live, publish };
}

/** @throws AppError CONFLICT when the workflow, or its draft, has changed since */
export function assertUnchanged(
  { workflow, draft }: Pick<Editing, 'workflow' | 'draft'>,
  ifUpdatedAt: string | undefined,
): void {
  const { updatedAt } = draft ?? workflow;
  if (ifUpdatedAt === undefined || Date.parse(ifUpdatedAt) === updatedAt.getTime()) return;
  throw conflict('The workflow has changed since it was read', {
    suggestion: suggestions.CONFLICT.workflowChanged,
  });
}

/**
 * Saves an edit: as the only definition before the first version; else as a new version, or into the draft.
 *
 * @param placeOf what is before `config.…` in the field of a problem of a step
 * @throws AppError VALIDATION_ERROR when an edit that is in force at once leaves something undone
 */
export async function saveEdit(
  ctx: CommandContext,
  editing: Editing,
  after: WorkflowDefinition,
  placeOf: (step: DefinedStep) => string = () => '',
): Promise<WorkflowRow> {
  const { workflow, draft, live, definition: before, publish } = editing;
  assertSize(before, after);
  await assertTrees(ctx.db, workflow.projectId, before, after, placeOf);
  if (workflow.version === null) {
    await writeLive(ctx.db, workflow, live, after);
    return saveColumns(ctx, workflow, after, {});
  }
  if (!publish) {
    // Nothing unfinished is left behind by an edit that changes nothing.
    if (draft === null && isSameJson(before, after)) return workflow;
    await writeDraft(ctx.db, workflow, authorOf(ctx.actor), after, differenceOf(live, after).length);
    return (await findWorkflow(ctx.db, workflow.projectId, workflow.id)) ?? workflow;
  }
  if (isSameJson(before, after)) return saveColumns(ctx, workflow, after, {});
  await assertInForce(ctx, after, { whole: false });
  return (await publishDefinition(ctx, { workflow, live, definition: after, note: null, move: null }))
    .workflow;
}
