import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import {
  findSyntaxProblemsTask,
  type SyntaxProblem,
  syntaxProblemsOf,
  type TemplateText,
} from './find-syntax-problems.task.ts';

/** Sources of up to this many characters are parsed at once, which takes less time than asking a thread. */
const inlineLength = 20_000;

/** CPU time for parsing sources of a length, in milliseconds. Parsing is linear and needs about a fifth of it. */
export const parseMs = (length: number): number => 200 + length / 2_000;

/** The syntax errors of these sources (behaviour B1.2). */
export async function findSyntaxProblems(
  { threads }: Pick<Services, 'threads'>,
  projectId: string,
  texts: readonly TemplateText[],
): Promise<SyntaxProblem[]> {
  const templates = texts.filter(({ source }) => source.includes('{'));
  const length = templates.reduce((sum, { source }) => sum + source.length, 0);
  if (length <= inlineLength) return syntaxProblemsOf(templates);
  try {
    return await threads.run(findSyntaxProblemsTask, templates, { projectId, cpuMs: parseMs(length) });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    const message = 'the template takes too long to read';
    return templates.slice(0, 1).map(({ field }) => ({ field, message, line: 1, column: 1 }));
  }
}
