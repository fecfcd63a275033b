import { segmentExists } from '../../../audience/segments/index.ts';
import {
  AppError,
  badRequest,
  type Context,
  type FieldError,
  invalid,
  projectIdOf,
} from '../../../base/kernel/index.ts';
import { readGraphChange } from '../graph-change.ts';
import { readStepConfig } from '../read-step-config.ts';
import { assertCanBeEnabled, readsOfTrigger } from '../trigger.ts';
import { maxSteps } from '../workflows.schema.ts';
import { templateNames } from '../workflows.store.ts';
import { problemsOfTrees } from './check-trees.ts';
import { definitionLimitBytes, templatesOf, type WorkflowDefinition } from './definition.rules.ts';
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
