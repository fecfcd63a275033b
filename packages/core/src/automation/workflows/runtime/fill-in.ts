import { type Services, TaskLimitError } from '../../../base/kernel/index.ts';
import { type FillInInput, type FillInOutput, fillInOrProblem, fillInTask } from './fill-in.task.ts';
import type { StepTexts } from './fill-in-texts.ts';

/** Texts that were filled in on a thread, by what they were made of. */
export type FilledTexts = Map<string, FillInOutput>;

/** CPU time for all texts of a step of one execution, in milliseconds. */
const stepMs = 200;
/** Texts of up to this many characters that only name variables cost too little to ask a thread. */
const inlineLength = 2_000;
export const defaultMaxLength = 1_000_000;

/**
 * Fills in the texts of a step of one execution, within a set.
 *
 * @param known what threads have filled in before
 * @returns null when they need a thread, which must not keep a transaction waiting: `fillInFirst`, and then the step again
 */
export function fillIn(input: FillInInput, known: FilledTexts): FillInOutput | null {
  return isCheap(input.texts) ? fillInOrProblem(input) : (known.get(keyOf(input)) ?? null);
}

/** Fills in texts outside of a transaction, and adds them to those that are known. */
export async function fillInFirst(
  services: Pick<Services, 'threads'>,
  projectId: string,
  inputs: readonly FillInInput[],
  known: FilledTexts,
): Promise<void> {
  await Promise.all(
    inputs.map(async (input) => {
      known.set(keyOf(input), await onThread(services, projectId, input));
    }),
  );
}

const keyOf = ({ texts, variables }: FillInInput): string => JSON.stringify([texts, variables]);

/** Without tags and filters, the cost is bounded by the size. */
function isCheap(texts: StepTexts): boolean {
  const json = JSON.stringify(texts);
  return !json.includes('{') || (json.length <= inlineLength && !/\{%|\|/.test(json));
}

async function onThread(
  { threads }: Pick<Services, 'threads'>,
  projectId: string,
  input: FillInInput,
): Promise<FillInOutput> {
  try {
    return await threads.run(fillInTask, input, { projectId, cpuMs: stepMs });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    return { problem: `The texts of this step could not be filled in: ${error.message}` };
  }
}
