import { type CallOptions, callOnce, KeyUsed } from './call.ts';
import type { Connection } from './connection.ts';
import { PostriderError } from './errors.ts';
import { sendingSendBatch } from './generated/operations.gen.ts';
import type { InputOf, OutputOf } from './operation.ts';
import type { SendInput, SentEmail } from './send.ts';

type Answer = OutputOf<typeof sendingSendBatch>;

/** What became of one item. `error` is missing for an item that an earlier call with the same key had sent and that was refused then. */
export interface SendBatchItem extends Omit<Answer['results'][number], 'emails'> {
  emails?: SentEmail[];
}

export interface SendBatchResult {
  /** One for each item, in their order. */
  results: SendBatchItem[];
  accepted: number;
  refused: number;
  /** When the first part was accepted. */
  timestamp: string;
  /** True when the same batch was sent before, by this call or another one with its key: nothing was sent now. */
  repeated: boolean;
  /** True when it was this call that had been accepted, at least in part: the connection failed before the answer. */
  answerLost: boolean;
}

export interface SendBatchOptions extends CallOptions {
  /** Whether nothing is stored if one item is refused. For at most 1,000 emails. */
  atomic?: boolean;
}

/** A part of a large batch failed after others were accepted. The same call with this key sends what is missing, and nothing twice. */
export class BatchIncompleteError extends PostriderError {
  override name = 'BatchIncompleteError';
  /** of the items before the part that failed */
  readonly results: SendBatchItem[];
  readonly idempotencyKey: string;

  constructor(results: SendBatchItem[], idempotencyKey: string, cause: unknown) {
    super(
      `The first ${results.length} items of the batch are sent. Repeat it with the idempotency key ${idempotencyKey} to send the others`,
      { cause },
    );
    this.results = results;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Of one request (behaviour B15.3). */
const mostEmails = 1_000;

const countOf = (given: unknown): number =>
  given === undefined || given === null ? 0 : Array.isArray(given) ? given.length : 1;

const emailsOf = ({ to, cc, bcc }: SendInput): number => countOf(to) + countOf(cc) + countOf(bcc);

/** Neighbours that one request can have. */
function partsOf(inputs: readonly SendInput[]): SendInput[][] {
  const parts: SendInput[][] = [];
  let emails = 0;
  for (const input of inputs) {
    const more = Math.max(1, emailsOf(input));
    const part = parts.at(-1);
    if (part && emails + more <= mostEmails) part.push(input);
    else parts.push([input]);
    emails = (part && emails + more <= mostEmails ? emails : 0) + more;
  }
  return parts;
}

/**
 * Sends different emails, each accepted or refused by itself: requests of at most 1,000 emails, one after another. Each has an idempotency key
 * derived from that of the call, so that a retry never sends twice.
 *
 * @throws ConflictError when the key belongs to another batch; ApiError when the API refuses it as a whole; ConnectionError or TimeoutError without
 *   an answer; BatchIncompleteError when one of these befalls a later request
 */
export async function sendBatch(
  connection: Connection,
  inputs: readonly SendInput[],
  { atomic, idempotencyKey = crypto.randomUUID(), ...options }: SendBatchOptions = {},
): Promise<SendBatchResult> {
  const parts = partsOf(inputs);
  if (atomic && parts.length > 1)
    throw new PostriderError(`An atomic batch has at most ${mostEmails.toLocaleString('en')} emails`);
  const sent: SendBatchResult[] = [];
  const results: SendBatchItem[] = [];
  for (const [n, emails] of (parts.length === 0 ? [[]] : parts).entries()) {
    const key = n === 0 ? idempotencyKey : `${idempotencyKey}/${n}`;
    const input = { emails, ...(atomic === undefined ? {} : { atomic }) } as InputOf<typeof sendingSendBatch>;
    try {
      const part = await sendPart(connection, input, { ...options, idempotencyKey: key });
      sent.push(part);
      const first = results.length;
      results.push(...part.results.map((result) => ({ ...result, index: first + result.index })));
    } catch (error) {
      throw n === 0 ? error : new BatchIncompleteError(results, idempotencyKey, error);
    }
  }
  const accepted = results.filter(({ status }) => status === 'ACCEPTED').length;
  return {
    results,
    accepted,
    refused: results.length - accepted,
    timestamp: sent[0]?.timestamp ?? '',
    repeated: sent.every(({ repeated }) => repeated),
    answerLost: sent.some(({ answerLost }) => answerLost),
  };
}

async function sendPart(
  connection: Connection,
  input: InputOf<typeof sendingSendBatch>,
  options: CallOptions,
): Promise<SendBatchResult> {
  try {
    const answer = await callOnce(connection, sendingSendBatch, input, options);
    return { ...answer, repeated: false, answerLost: false };
  } catch (error) {
    if (!(error instanceof KeyUsed)) throw error;
    const { results = [], originalRequestAt } = error.details() as { results?: SendBatchItem[] } & Record<
      string,
      unknown
    >;
    const accepted = results.filter(({ status }) => status === 'ACCEPTED').length;
    return {
      ...{ results, accepted, refused: results.length - accepted, timestamp: String(originalRequestAt) },
      ...{ repeated: true, answerLost: error.wasUnsure },
    };
  }
}
