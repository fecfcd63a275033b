import { AppError, type FieldError } from '../kernel/index.ts';
import { PARSE_MILLISECONDS, parseTemplate, TemplateSyntaxError } from './language/index.ts';

/** The parts of a template given by a caller. */
export interface TemplateSource {
  subject?: string | undefined;
  body?: string | undefined;
}

/**
 * Refuses sources with syntax errors (behaviour B1.2).
 *
 * @throws AppError VALIDATION_ERROR with an item `template_syntax` per part and `details` `{field, line, column}` of the first
 */
export function assertTemplateSyntax({ subject, body }: TemplateSource): void {
  const problems = [...findProblem('subject', subject, 'text'), ...findProblem('body', body, 'html')];
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
  field: 'subject' | 'body',
  source: string | undefined,
  output: 'text' | 'html',
): { field: string; error: TemplateSyntaxError }[] {
  if (source === undefined) return [];
  try {
    parseTemplate(source, output, { milliseconds: PARSE_MILLISECONDS });
    return [];
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [{ field, error }];
    throw error;
  }
}
