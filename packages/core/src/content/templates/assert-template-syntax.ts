import { AppError, type Context, type FieldError, projectIdOf } from '../../base/kernel/index.ts';
import { type TemplateField, templateFields } from './email-content.schema.ts';
import { findSyntaxProblems } from './find-syntax-problems.ts';

/** The parts of a template given by a caller. */
export type TemplateSource = { [Field in TemplateField]?: string | null | undefined };

/**
 * Refuses sources with syntax errors (behaviour B1.2).
 *
 * @throws AppError VALIDATION_ERROR with an item `template_syntax` per part and `details` `{field, line, column}` of the first
 */
export async function assertTemplateSyntax(ctx: Context, source: TemplateSource): Promise<void> {
  const texts = Object.entries(templateFields).flatMap(([field, output]) => {
    const text = source[field as TemplateField];
    return text === undefined || text === null ? [] : [{ field, source: text, output }];
  });
  const problems = await findSyntaxProblems(ctx.services, projectIdOf(ctx), texts);
  const [first] = problems;
  if (!first) return;
  const { field, line, column } = first;
  throw new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors: problems.map(
      (problem): FieldError => ({ field: problem.field, code: 'template_syntax', message: problem.message }),
    ),
    details: { field, line, column },
    suggestion: 'Correct the template at the position given in details',
  });
}
