import type { CallOptions } from './call.ts';

export interface BatchOptions {
  /** Requests at a time. Default 8. */
  concurrency?: number;
  /** Makes the whole call safe to repeat with the same inputs: each request has this key, `/` and its place as its own. */
  idempotencyKey?: string;
  /** Carries each request out and undoes it. */
  dryRun?: boolean;
}

/** Runs one call per input, a few at a time, and answers in their order: one failure does not end the others. */
export async function batch<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input, options: CallOptions) => Promise<Output>,
  { concurrency = 8, idempotencyKey, dryRun = false }: BatchOptions = {},
): Promise<PromiseSettledResult<Output>[]> {
  const results: PromiseSettledResult<Output>[] = [];
  const waiting = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, input] of waiting) {
      const options = {
        dryRun,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}/${index}` }),
      };
      [results[index]] = (await Promise.allSettled([work(input, options)])) as [PromiseSettledResult<Output>];
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return results;
}
