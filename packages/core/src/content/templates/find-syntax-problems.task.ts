import type { Task } from '../../base/kernel/ports/threads.ts';
import { parseTemplate, TemplateSyntaxError } from './language/index.ts';

export interface TemplateText {
  field: string;
  source: string;
  output: 'text' | 'html';
}

export interface SyntaxProblem {
  field: string;
  message: string;
  /** counted from 1 */
  line: number;
  column: number;
}

export function syntaxProblemsOf(texts: readonly TemplateText[]): SyntaxProblem[] {
  return texts.flatMap(({ field, source, output }) => {
    try {
      parseTemplate(source, output);
      return [];
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      const { message, line, column } = error;
      return [{ field, message, line, column }];
    }
  });
}

export const findSyntaxProblemsTask: Task<readonly TemplateText[], SyntaxProblem[]> = {
  name: 'templates.findSyntaxProblems',
  run: syntaxProblemsOf,
};
