import { TaskLimitError } from '../../../base/kernel/index.ts';
import { type FillInInput, type FillInOutput, fillInOrProblem, fillInTask } from './fill-in.task.ts';
import type { StepTexts } from './fill-in-texts.ts';
import type { StepContext } from './step-result.ts';
import { variablesOf } from './variables.ts';

/** A text of a step cannot be filled in, however often it is tried. The message is for the customer. */
export class StepTextError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StepTextError';
  }
}

/** Texts have to be filled in on a thread, which must not keep a transaction waiting. */
export class TextsNeededError extends Error {
  readonly step: StepContext;
  readonly input: FillInInput;

  constructor(step: StepContext, input: FillInInput) {
    super('the texts of a step are needed before its transaction');
    this.name = 'TextsNeededError';
    this.step = step;
    this.input = input;
  }
}

/** CPU time for all texts of a step, in milliseconds. */
const stepMs = 200;
/** Texts of up to this many characters that only name variables cost too little to ask a thread. */
const inlineLength = 2_000;
const defaultMaxLength = 1_000_000;

/**
 * The texts of a step that makes a request, filled in.
 *
 * @param maxLength maximum number of characters of all texts together
 * @throws StepTextError
 */
export async function fillIn(step: StepContext, texts: StepTexts, maxLength: number): Promise<StepTexts> {
  const input = { texts, variables: variablesOf(step), maxLength };
  return textsOf(isCheap(texts) ? fillInOrProblem(input) : await onThread(step, input));
}

/**
 * The same for a step that runs in a transaction.
 *
 * @throws StepTextError
 * @throws TextsNeededError when the step has to run again, after `fillInFirst`
 */
export function fillInNow(
  step: StepContext,
  values: unknown,
  { keepsTypes = false }: Pick<StepTexts, 'keepsTypes'> = {},
): unknown {
  const input = { texts: { values, keepsTypes }, variables: variablesOf(step), maxLength: defaultMaxLength };
  if (isCheap(input.texts)) return textsOf(fillInOrProblem(input)).values;
  const known = step.filledTexts.get(keyOf(input));
  if (!known) throw new TextsNeededError(step, input);
  return textsOf(known).values;
}

/** Fills in what a step needs, outside of its transaction. */
export async function fillInFirst({ step, input }: TextsNeededError): Promise<void> {
  step.filledTexts.set(keyOf(input), await onThread(step, input));
}

const keyOf = ({ texts, variables }: FillInInput): string => JSON.stringify([texts, variables]);

/** Without tags and filters, the cost is bounded by the size. */
function isCheap(texts: StepTexts): boolean {
  const json = JSON.stringify(texts);
  return !json.includes('{') || (json.length <= inlineLength && !/\{%|\|/.test(json));
}

async function onThread({ services, state }: StepContext, input: FillInInput): Promise<FillInOutput> {
  try {
    return await services.threads.run(fillInTask, input, { projectId: state.projectId, cpuMs: stepMs });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    return { problem: `The texts of this step could not be filled in: ${error.message}` };
  }
}

function textsOf(output: FillInOutput): StepTexts {
  if ('problem' in output) throw new StepTextError(output.problem);
  return output.texts;
}
