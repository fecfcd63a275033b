import type { z } from 'zod';
import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { assertFilterTree } from '../../../audience/segments/index.ts';
import type { Db } from '../../../base/db/index.ts';
import { AppError, type Context, type FieldError, projectIdOf } from '../../../base/kernel/index.ts';
import { findGoals, findGoalsByName } from '../../goals/index.ts';
import type { ExitRule, WorkflowGoal } from '../definitions/ends.rules.ts';
import { triggerKey } from '../definitions/step-keys.rules.ts';
import type { DocumentGoal } from './document.rules.ts';
import type { importWorkflowInput } from './document.schema.ts';
import { readIdentified } from './named-trees.ts';

const goalPrefix = 'goal:';

/** Goals by their names. */
export async function documentGoals(
  db: Db,
  projectId: string,
  goals: readonly WorkflowGoal[],
): Promise<DocumentGoal[]> {
  const known = new Map(
    (
      await findGoals(
        db,
        projectId,
        goals.map(({ goalId }) => goalId),
      )
    ).map(({ id, name }) => [id, name]),
  );
  return goals.map(({ goalId, effect, toStepKey }) => ({
    goal: `${goalPrefix}${known.get(goalId) ?? goalId}`,
    effect: effect === 'MEASURE' ? undefined : effect,
    toStepKey,
  }));
}

type Given = Pick<z.output<typeof importWorkflowInput>, 'goals' | 'exits'>;

interface EndsReading {
  /** of the steps of the document */
  keys: ReadonlySet<string>;
  /** receives every name that the project does not have, and every condition that is wrong */
  errors: FieldError[];
  /** the exit rules, with ids in the place of names */
  withIds: () => unknown;
}

/** The goals and exit rules of a document. */
export async function readEnds(
  ctx: Context,
  { goals: given = [], exits: named }: Given,
  { keys, errors, withIds }: EndsReading,
): Promise<{ goals: WorkflowGoal[]; exits: ExitRule[] }> {
  const projectId = projectIdOf(ctx);
  const unknown = (field: string, received: string): void => {
    errors.push({ field, ...unknownName(received) });
  };
  const names = given.map(({ goal }) => goal.slice(goalPrefix.length));
  const known = new Map(
    (await findGoalsByName(ctx.db, projectId, names)).map(({ id, name }) => [`${goalPrefix}${name}`, id]),
  );
  const goals = given.flatMap(({ goal, effect = 'MEASURE', toStepKey }, index): WorkflowGoal[] => {
    const goalId = known.get(goal);
    if (toStepKey !== undefined && (toStepKey === triggerKey || !keys.has(toStepKey)))
      unknown(`goals.${index}.toStepKey`, toStepKey);
    if (goalId === undefined) unknown(`goals.${index}.goal`, goal);
    return goalId === undefined
      ? []
      : [{ goalId, effect, ...(toStepKey === undefined ? {} : { toStepKey }) }];
  });
  const rules = named === undefined ? [] : (withIds() as NonNullable<Given['exits']>);
  const exits: ExitRule[] = [];
  for (const [index, rule] of rules.entries()) {
    if (!('condition' in rule)) exits.push(rule);
    else {
      const condition = await readTree(ctx, rule.condition, `exits.${index}.condition`, errors);
      if (condition) exits.push({ name: rule.name, condition });
    }
  }
  return { goals, exits };
}

async function readTree(
  ctx: Context,
  given: unknown,
  path: string,
  errors: FieldError[],
): Promise<FilterTree | null> {
  const tree = readIdentified({ value: given, path }, errors);
  // What is wrong with its names is said alone.
  if (errors.some(({ field }) => field.startsWith(`${path}.`))) return null;
  if (!tree) return null;
  try {
    await assertFilterTree(ctx.db, projectIdOf(ctx), tree, path);
    return tree;
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    errors.push(...error.errors);
    return null;
  }
}

const unknownName = (received: string): Omit<FieldError, 'field'> => ({
  code: 'unknown_reference',
  message: 'The project has nothing of this name',
  received,
});
