import type { Task } from '../../base/kernel/ports/threads.ts';
import { keysNamedIn, TemplateSyntaxError } from './language/index.ts';

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

export interface ReadTexts {
  problems: SyntaxProblem[];
  /** the contact fields that the texts without a problem name, in the form of the `reads` columns: `data.<key>` */
  reads: string[];
}

/** Keys of contacts have at most this many characters. */
const longestKey = 200;

export function readTextsOf(texts: readonly TemplateText[]): ReadTexts {
  const problems: SyntaxProblem[] = [];
  const reads = new Set<string>();
  for (const { field, source, output } of texts) {
    if (!source.includes('{')) continue;
    try {
      for (const key of keysNamedIn(source, output))
        if (key !== '' && key.length <= longestKey) reads.add(`data.${key}`);
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      const { message, line, column } = error;
      problems.push({ field, message, line, column });
    }
  }
  return { problems, reads: [...reads].sort() };
}

export const readTextsTask: Task<readonly TemplateText[], ReadTexts> = {
  name: 'templates.readTexts',
  run: readTextsOf,
};
