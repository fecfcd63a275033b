import { AppError, type FieldError } from '../kernel/index.ts';
import { type TemplateField, templateFields } from './email-content.schema.ts';
import { PARSE_MILLISECONDS, parseTemplate, TemplateSyntaxError } from './language/index.ts';

/** The parts of a template given by a caller. */
export type TemplateSource = { [Field in TemplateField]?: string | null | undefined };

/**
 * Refuses sources with syntax errors (behaviour B1.2).
 *
 * @throws AppError VALIDATION_ERROR with an item `template_syntax` per part and `details` `{field, line, column}` of the first
 */
export function assertTemplateSyntax(source: TemplateSource): void {
  const problems = Object.entries(templateFields).flatMap(([field, output]) =>
    findProblem(field, source[field as TemplateField], output),
  );
  const [first] = problems;
  if (!first) return;
  throw new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors: problems.map(
      ({ field, error }): FieldError => ({ field, code: 'template_syntax', message: error.message }),
    ),
    details: { field: first.field, line: first.error.line, column: first.error.column },
    suggestion: 'Correct the template at the position given in details',
  });
}

function findProblem(
  field: string,
  source: string | null | undefined,
  output: 'text' | 'html',
): { field: string; error: TemplateSyntaxError }[] {
  if (source === undefined || source === null) return [];
  try {
    parseTemplate(source, output, { milliseconds: PARSE_MILLISECONDS });
    return [];
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [{ field, error }];
    throw error;
  }
}
