import { type BatchOptions, batch } from './batch.ts';
import { type CallOptions, call } from './call.ts';
import { type Connection, connect, type PostriderOptions } from './connection.ts';
import { groups } from './generated/groups.gen.ts';
import { Listing } from './listing.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';
import { type SendInput, type SendResult, send } from './send.ts';
import { type SendBatchOptions, type SendBatchResult, sendBatch } from './send-batch.ts';
import { type TrackInput, type TrackResult, track } from './track.ts';

type Paged = { data: unknown[] } & ({ cursor: string | null } | { totalPages: number });

type Answer<O extends Operation> = OutputOf<O> extends Paged ? Listing<O> : Promise<OutputOf<O>>;

/** An operation as a method; the input may be left out where every field is optional. */
type Callable<O extends Operation> =
  object extends InputOf<O>
    ? (input?: InputOf<O>, options?: CallOptions) => Answer<O>
    : (input: InputOf<O>, options?: CallOptions) => Answer<O>;

type Groups = {
  readonly [Group in keyof typeof groups]: {
    readonly [Method in keyof (typeof groups)[Group]]: (typeof groups)[Group][Method] extends infer O extends
      Operation
      ? Callable<O>
      : never;
  };
};

class Client {
  /** For the functions `send`, `track` and `call`. */
  readonly connection: Connection;

  /** @throws PostriderError when the key or the address is missing, or the key is a secret one in a browser */
  constructor(options: PostriderOptions) {
    this.connection = connect(options);
    for (const [group, operations] of Object.entries(groups)) {
      const methods = Object.entries(operations).map(([name, operation]) => [name, this.#method(operation)]);
      Object.defineProperty(this, group, {
        value: Object.freeze(Object.fromEntries(methods)),
        enumerable: true,
      });
    }
  }

  /** Sends a transactional email, exactly once however often it is retried. */
  send(input: SendInput, options?: CallOptions): Promise<SendResult> {
    return send(this.connection, input, options);
  }

  /**
   * Sends different emails, each exactly once however often it is retried: requests of at most 1,000 emails, one after another. The same content
   * for several recipients is one `send` with an array in `to`.
   */
  sendBatch(inputs: readonly SendInput[], options?: SendBatchOptions): Promise<SendBatchResult> {
    return sendBatch(this.connection, inputs, options);
  }

  /** Records an event of a contact, exactly once however often it is retried. */
  track(input: TrackInput, options?: CallOptions): Promise<TrackResult> {
    return track(this.connection, input, options);
  }

  /** Records events, a few at a time. */
  trackBatch(
    inputs: readonly TrackInput[],
    options?: BatchOptions,
  ): Promise<PromiseSettledResult<TrackResult>[]> {
    return batch(inputs, (input, each) => this.track(input, each), options);
  }

  #method(operation: Operation): (input?: object, options?: CallOptions) => unknown {
    return operation.list === undefined
      ? (input = {}, options) => call(this.connection, operation, input, options)
      : (input = {}, options) => new Listing(this.connection, operation, input, options);
  }
}

/**
 * A client of one project. Every operation that a key may call is a method, by group and name as the API names it:
 * `client.contacts.list()`.
 */
export type Postrider = Client & Groups;
export const Postrider: new (options: PostriderOptions) => Postrider = Client as new (
  options: PostriderOptions,
) => Postrider;
