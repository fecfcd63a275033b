import type { z } from 'zod';
import { type FilterTree, filtersOf } from '../../../audience/segments/filters.rules.ts';
import { maxFilterDepth, readFilterTree } from '../../../audience/segments/filters.schema.ts';
import { assertFilterTree } from '../../../audience/segments/index.ts';
import type { Db } from '../../../base/db/index.ts';
import { AppError, type Context, type FieldError, projectIdOf } from '../../../base/kernel/index.ts';
import { findGoals, findGoalsByName } from '../../goals/index.ts';
import { type ExitRule, isEventExit, type WorkflowGoal } from '../definitions/ends.rules.ts';
import { triggerKey } from '../definitions/step-keys.rules.ts';
import { type DocumentGoal, withSegments } from './document.rules.ts';
import type { importWorkflowInput } from './document.schema.ts';
import { segmentBySlug, slugOfSegment } from './names.store.ts';

const goalPrefix = 'goal:';
const segmentName = /^segment:(.+)$/s;
const segmentField = /^segment\.(.+)$/s;

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

/** Exit rules, the segments of their conditions by their slugs. */
export async function documentExits(
  db: Db,
  projectId: string,
  exits: readonly ExitRule[],
): Promise<ExitRule[]> {
  const slugs = new Map<string, string>();
  for (const field of segmentFields(exits)) {
    const slug = await slugOfSegment(db, projectId, segmentField.exec(field)?.[1] ?? '');
    if (slug !== null) slugs.set(field, `segment:${slug}`);
  }
  return renamed(exits, (field) => slugs.get(field) ?? field);
}

const segmentFields = (exits: readonly ExitRule[]): string[] => [
  ...new Set(
    exits.flatMap((rule) =>
      isEventExit(rule)
        ? []
        : filtersOf(rule.condition)
            .map(({ field }) => field)
            .filter((field) => segmentField.test(field)),
    ),
  ),
];

const renamed = (exits: readonly ExitRule[], nameOf: (field: string) => string): ExitRule[] =>
  exits.map((rule) =>
    isEventExit(rule) ? rule : { ...rule, condition: withSegments(rule.condition, nameOf) },
  );

type Given = Pick<z.output<typeof importWorkflowInput>, 'goals' | 'exits'>;

/**
 * The goals and exit rules of a document.
 *
 * @param keys those of its steps
 * @param errors receives every name that the project does not have, and every condition that is wrong
 */
export async function readEnds(
  ctx: Context,
  { goals: given = [], exits: rules = [] }: Given,
  keys: ReadonlySet<string>,
  errors: FieldError[],
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
  const projectId = projectIdOf(ctx);
  const ids = new Map<string, string>();
  for (const name of new Set(segmentNames(given, maxFilterDepth))) {
    const id = await segmentBySlug(ctx.db, projectId, segmentName.exec(name)?.[1] ?? '');
    if (id !== null) ids.set(name, `segment.${id}`);
  }
  const { tree, issues } = readFilterTree(withIds(given, ids, maxFilterDepth));
  for (const { path: at, code, message, input } of issues)
    errors.push({
      field: [path, ...at].join('.'),
      ...(typeof input === 'string' && segmentName.test(input) && at.at(-1) === 'field'
        ? unknownName(input)
        : { code, message, ...receivedOf(input) }),
    });
  if (!tree) return null;
  try {
    await assertFilterTree(ctx.db, projectId, tree, path);
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

const receivedOf = (input: unknown): { received?: string } =>
  typeof input === 'string' ? { received: input.slice(0, 200) } : {};

const objectsIn = (value: unknown, key: string): Record<string, unknown>[] => {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of segments in a tree that was not read yet. Deeper than a tree may be, nothing is looked at. */
function segmentNames(tree: unknown, levels: number): string[] {
  if (levels === 0) return [];
  return objectsIn(tree, 'groups').flatMap((group) => [
    ...objectsIn(group, 'filters').flatMap(({ field }) =>
      typeof field === 'string' && segmentName.test(field) ? field : [],
    ),
    ...segmentNames(group['conditions'], levels - 1),
  ]);
}

function withIds(tree: unknown, ids: ReadonlyMap<string, string>, levels: number): unknown {
  if (levels === 0 || !isObject(tree) || !Array.isArray(tree['groups'])) return tree;
  return {
    ...tree,
    groups: tree['groups'].map((group: unknown) =>
      isObject(group)
        ? {
            ...group,
            ...(Array.isArray(group['filters'])
              ? {
                  filters: group['filters'].map((filter: unknown) =>
                    isObject(filter) && typeof filter['field'] === 'string'
                      ? { ...filter, field: ids.get(filter['field']) ?? filter['field'] }
                      : filter,
                  ),
                }
              : {}),
            ...('conditions' in group ? { conditions: withIds(group['conditions'], ids, levels - 1) } : {}),
          }
        : group,
    ),
  };
}
