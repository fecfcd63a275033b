import type { Task } from '../../../base/kernel/ports/threads.ts';
import { TemplateSyntaxError, type Variables } from '../../../content/templates/language/index.ts';
import { fillInTexts, type StepTexts, TextsTooLongError } from './fill-in-texts.ts';

export interface FillInInput {
  texts: StepTexts;
  variables: Variables;
  maxLength: number;
}

/** The filled-in texts, or why they can never be filled in. */
export type FillInOutput = { texts: StepTexts } | { problem: string };

export function fillInOrProblem({ texts, variables, maxLength }: FillInInput): FillInOutput {
  try {
    return { texts: fillInTexts(texts, variables, maxLength) };
  } catch (error) {
    if (error instanceof TemplateSyntaxError)
      return { problem: `This step contains an invalid template: ${error.message}` };
    if (error instanceof TextsTooLongError) return { problem: error.message };
    throw error;
  }
}

export const fillInTask: Task<FillInInput, FillInOutput> = {
  name: 'workflows.fillIn',
  run: fillInOrProblem,
};
