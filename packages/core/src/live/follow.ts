import { type Context, projectIdOf, type Watch } from '../kernel/index.ts';

export interface Followed<Value> {
  topic: string;
  /** Reads the present value. @throws AppError for an unknown record */
  read(): Promise<Value>;
  /** nothing will change after this value */
  isLast(value: Value): boolean;
}

/**
 * The present value of a record, and each later one, until the last. Changes that follow one another quickly are merged. Ending the
 * iteration ends the watch at once, also while it waits.
 *
 * @throws AppError as `read` and `Live.watch` do, at the first value
 */
export async function follow<Value>(
  ctx: Context,
  { topic, read, isLast }: Followed<Value>,
): Promise<AsyncIterableIterator<Value>> {
  // Watching begins before the first read, so that no change falls between the two.
  const watch = await ctx.services.live.watch(projectIdOf(ctx), topic);
  const close = (): void => watch.close();
  let first: Value;
  try {
    first = await read();
  } catch (error) {
    close();
    throw error;
  }
  return closing(changesOf(watch, first, { read, isLast }), close);
}

async function* changesOf<Value>(
  watch: Watch,
  first: Value,
  { read, isLast }: Pick<Followed<Value>, 'read' | 'isLast'>,
): AsyncGenerator<Value> {
  try {
    yield first;
    let [value, shown] = [first, JSON.stringify(first)];
    while (!isLast(value) && (await watch.next())) {
      value = await read();
      const text = JSON.stringify(value);
      if (text !== shown) yield value;
      shown = text;
    }
  } finally {
    watch.close();
  }
}

/** A generator only ends between two values; this one is woken from its waiting first. */
export function closing<Value>(
  generator: AsyncGenerator<Value>,
  close: () => void,
): AsyncIterableIterator<Value> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      close();
      return generator.return(undefined);
    },
  };
}
