import type { Context, Watch } from '../kernel/index.ts';
import { openStream } from './stream.ts';

export interface Followed<Value> {
  topic: string;
  /** Reads the present value. @throws AppError for an unknown record */
  read(): Promise<Value>;
  /** nothing will change after this value */
  isLast(value: Value): boolean;
}

/**
 * The present value of a record, and each later one, until the last. Changes that follow one another quickly are merged. Watching begins
 * before the first read, so that no change falls between the two.
 *
 * @throws AppError as `read` and `openStream` do
 */
export const follow = <Value>(
  ctx: Context,
  { topic, read, isLast }: Followed<Value>,
): Promise<AsyncIterableIterator<Value>> =>
  openStream(ctx, [topic], async function* looks(watch: Pick<Watch, 'next'>) {
    let value = await read();
    let shown = JSON.stringify(value);
    yield [value];
    while (!isLast(value) && (await watch.next())) {
      value = await read();
      const text = JSON.stringify(value);
      if (text !== shown) yield [value];
      shown = text;
    }
  });
