import { assertFilterTree, segmentExists } from '../../../audience/segments/index.ts';
import {
  AppError,
  badRequest,
  type Context,
  type FieldError,
  invalid,
  projectIdOf,
} from '../../../base/kernel/index.ts';
import { keepGoals } from '../../goals/index.ts';
import { readGraphChange } from '../graph-change.ts';
import { readStepConfig } from '../read-step-config.ts';
import { assertCanBeEnabled, readsOfTrigger } from '../trigger.ts';
import { maxSteps } from '../workflows.schema.ts';
import { templateNames } from '../workflows.store.ts';
import { definitionLimitBytes, templatesOf, type WorkflowDefinition } from './definition.rules.ts';
import { type Ends, isEventExit } from './ends.rules.ts';

/**
 * What a definition lacks to be in force, all at once: fields `steps.<key>.…` and `trigger.…`.
 *
 * @param whole also its configurations and references, which an edit of a single part has checked before
 */
export async function problemsOf(
  ctx: Context,
  definition: WorkflowDefinition,
  { whole }: { whole: boolean },
): Promise<FieldError[]> {
  const projectId = projectIdOf(ctx);
  const templates = await templateNames(ctx.db, projectId, templatesOf(definition));
  const problems: FieldError[] = [];
  for (const { key, type, config, templateId } of definition.steps) {
    if (type === 'SEND_EMAIL' && templateId === null)
      problems.push({ field: `steps.${key}.templateId`, code: 'required', message: 'Required' });
    if (templateId !== null && !templates.has(templateId))
      problems.push({
        field: `steps.${key}.templateId`,
        code: 'unknown_reference',
        message: 'The project has no such template',
        received: templateId,
      });
    if (whole && type !== 'TRIGGER')
      problems.push(...problemsOfConfig(key, () => readStepConfig(type, config)));
  }
  problems.push(...(await problemsOfEnds(ctx, definition)));
  if (!whole) return problems;
  for (const read of readsOfTrigger(definition.triggerType, definition.triggerConfig)) {
    const segmentId = /^segment\.(.+)$/.exec(read)?.[1];
    if (segmentId !== undefined && !(await segmentExists(ctx.db, projectId, segmentId)))
      problems.push({
        field: 'trigger.segmentId',
        code: 'unknown_reference',
        message: 'The project has no such segment',
        received: segmentId,
      });
  }
  return problems;
}

/** What goals and exit rules name has to exist. Goals that they name stay until the end of the transaction. */
export async function problemsOfEnds(
  ctx: Context,
  { goals, exits, steps }: Ends & Pick<WorkflowDefinition, 'steps'>,
): Promise<FieldError[]> {
  const projectId = projectIdOf(ctx);
  const ids = goals.map(({ goalId }) => goalId);
  const counting = ids.length === 0 ? new Set<string>() : await keepGoals(ctx.db, projectId, ids);
  const keys = new Set(steps.flatMap(({ key, type }) => (type === 'TRIGGER' ? [] : key)));
  const problems = goals.flatMap(({ goalId, toStepKey }, index): FieldError[] => [
    ...(counting.has(goalId)
      ? []
      : [
          {
            field: `goals.${index}.goalId`,
            code: 'unknown_reference',
            message: 'The project has no such goal that counts',
            received: goalId,
          },
        ]),
    ...(toStepKey === undefined || keys.has(toStepKey)
      ? []
      : [
          {
            field: `goals.${index}.toStepKey`,
            code: 'unknown_reference',
            message: 'The workflow has no such step',
            received: toStepKey,
          },
        ]),
  ]);
  for (const [index, rule] of exits.entries()) {
    if (isEventExit(rule)) continue;
    try {
      await assertFilterTree(ctx.db, projectId, rule.condition, `exits.${index}.condition`);
    } catch (error) {
      if (!(error instanceof AppError) || error.errors === undefined) throw error;
      problems.push(...error.errors);
    }
  }
  return problems;
}

function problemsOfConfig(key: string, read: () => unknown): FieldError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    return error.errors.map((each) => ({ ...each, field: `steps.${key}.${each.field}` }));
  }
}

/**
 * @throws AppError BAD_REQUEST when it breaks a rule of graphs or has a trigger that never starts; VALIDATION_ERROR naming all that it lacks
 */
export async function assertInForce(
  ctx: Context,
  definition: WorkflowDefinition,
  given: { whole: boolean },
): Promise<void> {
  if (given.whole) {
    if (definition.steps.length > maxSteps) throw badRequest(`A workflow has at most ${maxSteps} steps`);
    assertGraphRules(definition);
    assertCanBeEnabled(definition.triggerType, definition.triggerConfig);
  }
  const problems = await problemsOf(ctx, definition, given);
  if (problems.length > 0) throw invalid(problems);
}

/** @throws AppError BAD_REQUEST */
export const assertGraphRules = (definition: WorkflowDefinition): void => {
  readGraphChange({ steps: definition.steps }, definition);
};

/** @throws AppError VALIDATION_ERROR when an edit leaves a definition that is larger than one may be, and larger than before */
export function assertSize(before: WorkflowDefinition, after: WorkflowDefinition): void {
  const bytes = Buffer.byteLength(JSON.stringify(after));
  if (bytes <= definitionLimitBytes || bytes <= Buffer.byteLength(JSON.stringify(before))) return;
  throw invalid([
    {
      field: 'steps',
      code: 'too_big',
      message: `A workflow has at most ${definitionLimitBytes / 1_000} kB of JSON. This one would have ${Math.ceil(bytes / 1_000)} kB`,
    },
  ]);
}
