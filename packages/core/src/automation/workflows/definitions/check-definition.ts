import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { assertFilterTree, isReportedSegment, segmentExists } from '../../../audience/segments/index.ts';
import { segmentOfEvent } from '../../../base/event-types/index.ts';
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
import { assertCanBeEnabled } from '../trigger.ts';
import { filterOfTrigger } from '../triggers/schedule.trigger.ts';
import { textIn } from '../triggers/trigger.rules.ts';
import { triggerDefinition } from '../triggers/triggers.schema.ts';
import { maxSteps } from '../workflows.schema.ts';
import { templateNames } from '../workflows.store.ts';
import { problemsOfTrees } from './check-trees.ts';
import { definitionLimitBytes, templatesOf, type WorkflowDefinition } from './definition.rules.ts';
import { type Ends, isEventExit } from './ends.rules.ts';
import { problemsOfStepFields } from './trees.rules.ts';

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
  for (const step of definition.steps) {
    const { key, type, config, templateId } = step;
    const ofTrees = whole
      ? await problemsOfTrees(ctx.db, projectId, definition, step)
      : problemsOfStepFields(definition, step);
    problems.push(...ofTrees.map((each) => ({ ...each, field: `steps.${key}.${each.field}` })));
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
  const segmentId = textIn(definition.triggerConfig, 'segmentId');
  if (segmentId !== undefined && !(await segmentExists(ctx.db, projectId, segmentId)))
    problems.push({
      field: 'trigger.segmentId',
      code: 'unknown_reference',
      message: 'The project has no such segment',
      received: segmentId,
    });
  return [
    ...problems,
    ...(await problemsOfTree(ctx, filterOfTrigger(definition.triggerConfig), 'trigger.filter')),
    ...(await problemsOfTree(ctx, definition.entry.filter, 'entry.filter')),
    ...problemsOfEntry(definition),
  ];
}

async function problemsOfTree(ctx: Context, tree: FilterTree | null, field: string): Promise<FieldError[]> {
  if (tree === null) return [];
  try {
    await assertFilterTree(ctx.db, projectIdOf(ctx), tree, field);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    return error.errors;
  }
}

/** Rules on further entries say nothing where there is only one. */
export const problemsOfEntry = ({
  allowReentry,
  entry,
}: Pick<WorkflowDefinition, 'allowReentry' | 'entry'>): FieldError[] =>
  (['limit', 'every'] as const)
    .filter((rule) => !allowReentry && entry[rule] !== null)
    .map((rule) => ({ field: `entry.${rule}`, code: 'custom', message: 'Needs allowReentry' }));

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
    problems.push(...(await problemsOfTree(ctx, rule.condition, `exits.${index}.condition`)));
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
    await assertSegmentIsTracked(ctx, definition);
  }
  const problems = await problemsOf(ctx, definition, given);
  if (problems.length > 0) throw invalid(problems);
}

/**
 * Entering and leaving a segment are events only while the segment tracks its members.
 *
 * @throws AppError BAD_REQUEST when the trigger waits for events that nothing reports
 */
export async function assertSegmentIsTracked(
  ctx: Context,
  { triggerType, triggerConfig }: Pick<WorkflowDefinition, 'triggerType' | 'triggerConfig'>,
): Promise<void> {
  const [name] = triggerDefinition(triggerType).events(triggerConfig);
  const slug = name === undefined ? null : segmentOfEvent(name);
  if (slug === null || (await isReportedSegment(ctx.db, projectIdOf(ctx), slug))) return;
  throw badRequest(`The segment ${slug} does not track its members, so nothing reports ${name}`, {
    suggestion: 'Turn on trackMembership of the segment first',
  });
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
