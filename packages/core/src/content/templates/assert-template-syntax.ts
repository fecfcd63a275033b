import { AppError, type Context, type FieldError, projectIdOf } from '../../base/kernel/index.ts';
import type { TemplateText } from './read-texts.task.ts';
import { readTexts, type TemplateSource, textsOf } from './read-texts.ts';

/**
 * Refuses sources with syntax errors (behaviour B1.2).
 *
 * @param others with the names of their fields in the request
 * @returns the contact fields that they name, in the form of the `reads` columns
 * @throws AppError VALIDATION_ERROR with an item `template_syntax` per part and `details` `{field, line, column}` of the first
 */
export async function assertTemplateSyntax(
  ctx: Context,
  source: TemplateSource,
  others: readonly TemplateText[] = [],
): Promise<string[]> {
  const texts = [...textsOf(source), ...others];
  const { problems, reads } = await readTexts(ctx.services, projectIdOf(ctx), texts);
  const [first] = problems;
  if (!first) return reads;
  const { field, line, column } = first;
  throw new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors: problems.map(
      (problem): FieldError => ({ field: problem.field, code: 'template_syntax', message: problem.message }),
    ),
    details: { field, line, column },
    suggestion: 'Correct the template at the position given in details',
  });
}
