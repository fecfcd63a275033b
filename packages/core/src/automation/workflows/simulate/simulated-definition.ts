import { AppError, type Context, parseRequest, projectIdOf } from '../../../base/kernel/index.ts';
import type { WorkflowDefinition } from '../definitions/definition.rules.ts';
import { definitionFrom, findDraft, readLive } from '../definitions/definitions.store.ts';
import type { Definition } from '../definitions/read-definitions.store.ts';
import { importWorkflowInput } from '../document/document.schema.ts';
import { readDocument } from '../document/import-workflow.ts';
import { draftNotFound } from '../not-found.ts';
import { requireVersion } from '../versions/get-version.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import { idFrom } from './runs.ts';

/** Which definition a request names. */
export type NamedDefinition = 'live' | 'draft' | number | Record<string, unknown>;

export interface SimulatedDefinition {
  /** as the reply names it */
  name: 'live' | 'draft' | 'document' | number;
  definition: WorkflowDefinition;
  /** that steps are decided by; null for what is not published */
  version: number | null;
}

/**
 * The definition that a request names; without one the draft, if there is one.
 *
 * @throws AppError RESOURCE_NOT_FOUND for a draft or a version that there is not; VALIDATION_ERROR at `definition.…` for a document
 */
export async function readSimulated(
  ctx: Context,
  workflow: WorkflowRow,
  named: NamedDefinition | undefined,
): Promise<SimulatedDefinition> {
  const wanted = named ?? (workflow.draft ? 'draft' : 'live');
  if (wanted === 'live')
    return { name: 'live', definition: await readLive(ctx.db, workflow), version: workflow.version };
  if (wanted === 'draft') {
    const draft = await findDraft(ctx.db, projectIdOf(ctx), workflow.id);
    if (!draft) throw draftNotFound();
    return { name: 'draft', definition: definitionFrom(draft.definition), version: null };
  }
  if (typeof wanted === 'number') {
    const row = await requireVersion(ctx, workflow, wanted);
    return { name: wanted, definition: definitionFrom(row.definition), version: wanted };
  }
  const definition = await below('definition', async () =>
    readDocument(ctx, parseRequest(importWorkflowInput, wanted)),
  );
  return {
    name: 'document',
    definition: withKnownIds(definition, workflow.id, await readLive(ctx.db, workflow)),
    version: null,
  };
}

/** Problems of what is inside a field are told below it. */
async function below<T>(field: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    throw new AppError(error.code, error.message, {
      cause: error,
      errors: error.errors.map((each) => ({ ...each, field: `${field}.${each.field}` })),
    });
  }
}

/** Steps of a document have no ids, and what is drawn for a contact depends on them: they get those of the workflow, by their keys. */
function withKnownIds(
  { steps, transitions, ...definition }: WorkflowDefinition,
  workflowId: string,
  live: WorkflowDefinition,
): WorkflowDefinition {
  const known = new Map(live.steps.map(({ key, id }) => [key, id]));
  const ids = new Map(steps.map(({ id, key }) => [id, known.get(key) ?? idFrom(`${workflowId}:${key}`)]));
  const idOf = (id: string): string => ids.get(id) ?? id;
  return {
    ...definition,
    steps: steps.map((step) => ({ ...step, id: idOf(step.id) })),
    transitions: transitions.map((each) => ({
      ...each,
      fromStepId: idOf(each.fromStepId),
      toStepId: idOf(each.toStepId),
    })),
  };
}

/** What executions run of a definition: the transitions of each step in the order of their evaluation. */
export const runnable = ({
  steps,
  transitions,
}: WorkflowDefinition): Pick<Definition, 'steps' | 'transitions'> => ({
  steps,
  transitions: transitions.toSorted((a, b) => a.priority - b.priority),
});
