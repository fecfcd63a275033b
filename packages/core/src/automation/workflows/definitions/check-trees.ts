import { unknownTopic } from '../../../audience/consent/index.ts';
import { assertFilterTree } from '../../../audience/segments/index.ts';
import { findTopicByKey } from '../../../audience/topics/index.ts';
import type { Db } from '../../../base/db/index.ts';
import { AppError, type FieldError, invalid } from '../../../base/kernel/index.ts';
import { isTreeCondition, topicOfField } from '../steps/condition.step.ts';
import { type DefinedStep, isSameJson, type WorkflowDefinition } from './definition.rules.ts';
import { problemsOfStepFields, treesOfStep } from './trees.rules.ts';

/** What a step names that is not there: topics, segments and records of the project in its trees, and steps before it; fields as `config.…`. */
export async function problemsOfTrees(
  db: Db,
  projectId: string,
  graph: Pick<WorkflowDefinition, 'steps' | 'transitions'>,
  step: DefinedStep,
): Promise<FieldError[]> {
  const problems = [...problemsOfStepFields(graph, step), ...(await problemsOfField(db, projectId, step))];
  const trees = treesOfStep(step);
  if (trees.length === 0) return problems;
  // Together, since the filters of the segments that they refer to are limited for all of them.
  const all = {
    logic: 'OR' as const,
    groups: trees.map(({ tree }) => ({ filters: [], conditions: tree })),
  };
  try {
    await assertFilterTree(db, projectId, all, 'config');
    return problems;
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    return [...problems, ...error.errors.map((each) => ({ ...each, field: placedIn(trees, each.field) }))];
  }
}

/** A condition on one field may ask for a topic. */
async function problemsOfField(
  db: Db,
  projectId: string,
  { type, config }: DefinedStep,
): Promise<FieldError[]> {
  if (type !== 'CONDITION' || isTreeCondition(config)) return [];
  const { field } = config as { field?: unknown };
  const key = typeof field === 'string' ? topicOfField(field) : null;
  if (key === null || (await findTopicByKey(db, projectId, key))) return [];
  return [unknownTopic('config.field', key)];
}

const placedIn = (trees: readonly { path: string }[], field: string): string =>
  field.replace(
    /^config\.groups\.(\d+)\.conditions/,
    (_, index: string) => `config.${trees[Number(index)]?.path}`,
  );

/**
 * Checks the trees of the steps that an edit adds or changes.
 *
 * @param placeOf what is before `config.…` in the field of a problem of a step
 * @throws AppError VALIDATION_ERROR
 */
export async function assertTrees(
  db: Db,
  projectId: string,
  before: WorkflowDefinition,
  after: WorkflowDefinition,
  placeOf: (step: DefinedStep) => string,
): Promise<void> {
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const errors: FieldError[] = [];
  for (const step of after.steps) {
    if (isSameJson(known.get(step.id)?.config, step.config)) continue;
    const problems = await problemsOfTrees(db, projectId, after, step);
    errors.push(...problems.map((each) => ({ ...each, field: `${placeOf(step)}${each.field}` })));
  }
  if (errors.length > 0) throw invalid(errors);
}
