export interface BatchOptions {
  /** Requests at a time. Default 8. */
  concurrency?: number;
}

/** Runs one call per input, a few at a time, and answers in their order: one failure does not end the others. */
export async function batch<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
  { concurrency = 8 }: BatchOptions = {},
): Promise<PromiseSettledResult<Output>[]> {
  const results: PromiseSettledResult<Output>[] = [];
  const waiting = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, input] of waiting) {
      [results[index]] = (await Promise.allSettled([work(input)])) as [PromiseSettledResult<Output>];
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return results;
}
