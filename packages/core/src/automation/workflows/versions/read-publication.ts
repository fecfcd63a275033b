import type { z } from 'zod';
import { type Context, conflict, type FieldError, suggestions } from '../../../base/kernel/index.ts';
import type { WorkflowDefinition } from '../definitions/definition.rules.ts';
import { type DraftRow, definitionFrom, findDraft, readLive } from '../definitions/definitions.store.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import { requireVersion } from './get-version.ts';
import type { MoveRule } from './move.rules.ts';
import type { publishInput } from './versions.schema.ts';
import { countAtSteps, findLastWith, findMoves, findStepsByKey, summariesOf } from './versions.store.ts';

type Given = Omit<z.output<typeof publishInput>, 'id'>;

/** What a request to publish says, beside what it is about. */
export interface ReadPublication {
  draft: DraftRow | null;
  live: WorkflowDefinition;
  definition: WorkflowDefinition;
  /** people at each step now, by its id */
  people: ReadonlyMap<string, number>;
  /** null: only new executions begin with it */
  move: MoveRule | null;
  /** steps with people that it does not have, and for which nothing is said */
  needed: { key: string; name: string; people: number }[];
  /** targets of `removed` that it does not have */
  problems: FieldError[];
}

/**
 * Reads what a request would publish: the draft, or an earlier version again.
 *
 * @throws AppError CONFLICT without a draft and without a version; RESOURCE_NOT_FOUND for an unknown version
 */
export async function readPublication(
  ctx: Context,
  workflow: WorkflowRow,
  { version, move = 'NEW', removed = {}, timers = 'KEEP' }: Given,
): Promise<ReadPublication> {
  const { id, projectId } = workflow;
  const draft = await findDraft(ctx.db, projectId, id);
  const live = await readLive(ctx.db, workflow);
  const source = version === undefined ? draft : await requireVersion(ctx, workflow, version);
  if (source === null) {
    throw conflict('The workflow has no draft', { suggestion: suggestions.CONFLICT.workflowNoDraft });
  }
  const definition = definitionFrom(source.definition);
  const people = await countAtSteps(ctx.db, workflow);
  if (move === 'NEW') return { draft, live, definition, people, move: null, needed: [], problems: [] };

  const has = new Map(definition.steps.map((step) => [step.id, step]));
  const targets = new Map(definition.steps.map((step) => [step.key, step.id]));
  const problems = Object.entries(removed)
    .filter(([, target]) => target !== 'EXIT' && !targets.has(target))
    .map(([key, target]) => ({
      field: `removed.${key}`,
      code: 'unknown_reference',
      message: 'It has no such step',
      received: target,
    }));
  const gone = await summariesOf(
    ctx.db,
    projectId,
    [...people.keys()].filter((stepId) => !has.has(stepId)),
  );
  const rule: MoveRule = { removed: {}, timers };
  // Those at a step came by a version that has it, and moves before that say nothing about them (`placeAfter`).
  const movesAfter = (last: number): MoveRule[] =>
    moves.filter(({ version: of }) => of > last).map(({ move: of }) => of);
  const needed: ReadPublication['needed'] = [];
  const moves = await findMoves(ctx.db, id);
  const lastWith = await findLastWith(ctx.db, id, [...gone.keys()]);
  for (const [stepId, { key, name }] of gone) {
    const target = Object.hasOwn(removed, key) ? removed[key] : undefined;
    if (target !== undefined) rule.removed[stepId] = target === 'EXIT' ? null : (targets.get(target) ?? null);
    // Who is on the way from there by an earlier publish, whose job has not come to them yet, is not stranded.
    else if (!isOnTheWay(stepId, movesAfter(lastWith.get(stepId) ?? 0), has))
      needed.push({ key, name, people: people.get(stepId) ?? 0 });
  }
  // Where no one is now, there can be people once a set has finished by the version that it is taken by, which need not be the live one.
  for (const { id: stepId, key } of await findStepsByKey(ctx.db, id, Object.keys(removed))) {
    const target = removed[key];
    if (!has.has(stepId) && target !== undefined)
      rule.removed[stepId] = target === 'EXIT' ? null : (targets.get(target) ?? null);
  }
  return { draft, live, definition, people, move: rule, needed, problems };
}

/** Whether earlier moves have a place for those at a step that the definition has, or end their executions. */
function isOnTheWay(stepId: string, moves: readonly MoveRule[], has: ReadonlyMap<string, unknown>): boolean {
  let at = stepId;
  for (const { removed } of moves) {
    if (!Object.hasOwn(removed, at)) continue;
    const target = removed[at] ?? null;
    if (target === null) return true;
    at = target;
  }
  return at !== stepId && has.has(at);
}
