import { type CallOptions, call } from './call.ts';
import type { Connection } from './connection.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';

/** One page of a list. */
export interface Page<Item = unknown> {
  data: Item[];
  /** Cursor lists: where the next page begins, null on the last one. */
  cursor?: string | null;
  /** Page lists: the number of this page, from 1, and how many there are. */
  page?: number;
  totalPages?: number;
}

type ItemOf<Answer> = Answer extends { data: (infer Item)[] } ? Item : never;

/**
 * A list: `await` gives one page, `for await` every item from there on, page after page. Nothing is requested before that.
 */
export class Listing<O extends Operation>
  implements PromiseLike<OutputOf<O>>, AsyncIterable<ItemOf<OutputOf<O>>>
{
  readonly #request: (input: InputOf<O>) => Promise<OutputOf<O>>;
  readonly #input: InputOf<O>;

  constructor(connection: Connection, operation: O, input: InputOf<O>, options: CallOptions = {}) {
    this.#request = (of) => call(connection, operation, of, options);
    this.#input = input;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page
  then<Done = OutputOf<O>, Failed = never>(
    done?: ((page: OutputOf<O>) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#request(this.#input).then(done, failed);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<OutputOf<O>, void, undefined> {
    let input: InputOf<O> | undefined = this.#input;
    while (input !== undefined) {
      const page: OutputOf<O> = await this.#request(input);
      yield page;
      input = following(input, page as Page);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<OutputOf<O>>, void, undefined> {
    for await (const page of this.pages()) yield* (page as Page<ItemOf<OutputOf<O>>>).data;
  }
}

/** The input of the next page, or undefined after the last. */
function following<Input>(input: Input, { cursor, page, totalPages }: Page): Input | undefined {
  if (cursor != null) return { ...input, cursor };
  if (page !== undefined && totalPages !== undefined && page < totalPages)
    return { ...input, page: page + 1 };
  return undefined;
}
