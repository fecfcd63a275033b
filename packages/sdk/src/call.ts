import type { Connection } from './connection.ts';
import { ApiError, ConnectionError, PostriderError, refusalOf, TimeoutError } from './errors.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';
import { requestOf } from './request.ts';
import { isRetriable, retryDelay, wait } from './retry.ts';

export interface CallOptions {
  /** Ends the call, waits before retries included; it throws the reason of the signal. */
  signal?: AbortSignal;
  /** Milliseconds to wait for an answer, for each attempt. Default: that of the client. */
  timeoutMs?: number;
  /** How often the request is repeated at most. Default: that of the client. */
  maxRetries?: number;
  /** Makes the request safe to repeat: 1 to 255 printable ASCII characters. Accepted by `send` and `track`. */
  idempotencyKey?: string;
  /** Carries the request out and undoes it: same checks, same answer, and nothing is stored or sent. Ids in the answer lead to nothing. */
  dryRun?: boolean;
}

/** The idempotency key of a request was used before; `digest` is that of this request's body. */
export class KeyUsed {
  readonly error: ApiError;
  readonly digest: string;
  /** whether an attempt of this call may have been the first use */
  readonly wasUnsure: boolean;

  constructor(error: ApiError, digest: string, wasUnsure: boolean) {
    this.error = error;
    this.digest = digest;
    this.wasUnsure = wasUnsure;
  }

  /**
   * What the first request made, if it was the same one: its bytes are those of this call. Before the API had digests, a lost answer was
   * the only sign of it.
   *
   * @throws ConflictError when the key belongs to another request
   */
  details(): Readonly<Record<string, unknown>> {
    const original = this.error.details['originalDigest'];
    const isSame = typeof original === 'string' ? original === this.digest : this.wasUnsure;
    if (!isSame) throw this.error;
    return this.error.details;
  }
}

/** RFC 9530, as the API has it. */
async function digestOf(body: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
}

/**
 * Calls an operation and reads its answer.
 *
 * @throws ApiError when the API refuses it; ConnectionError or TimeoutError without an answer; the reason of the signal
 */
export async function call<O extends Operation>(
  connection: Connection,
  operation: O,
  input: InputOf<O>,
  options: CallOptions = {},
): Promise<OutputOf<O>> {
  try {
    return await callOnce(connection, operation, input, options);
  } catch (error) {
    throw error instanceof KeyUsed ? error.error : error;
  }
}

/** The same for a call that can make a result of a key that was used before. @throws KeyUsed also */
export async function callOnce<O extends Operation>(
  connection: Connection,
  operation: O,
  input: InputOf<O>,
  options: CallOptions = {},
): Promise<OutputOf<O>> {
  const { url, init } = requestOf(connection, operation, input as object);
  const { idempotencyKey, dryRun = false } = options;
  if (dryRun) init.headers['dry-run'] = 'true';
  // A dry run uses no key up, and is safe to repeat.
  else if (idempotencyKey !== undefined) init.headers['idempotency-key'] = idempotencyKey;
  const repeatable = dryRun || operation.method === 'GET' || idempotencyKey !== undefined;
  return repeat(connection, options, repeatable, init.body, async (signal) => {
    const response = await connection.fetch(url, { ...init, signal });
    if (!response.ok) throw new Refused(response, await response.text());
    if (dryRun && response.headers.get('dry-run') !== 'true')
      throw new PostriderError('This server has no dry runs: it has carried the request out');
    return (await read(operation, response)) as OutputOf<O>;
  });
}

/** A refusal with the headers that say when to try again. */
class Refused {
  readonly headers: Headers;
  readonly error: ApiError;
  constructor(response: Response, text: string) {
    this.headers = response.headers;
    this.error = refusalOf(response, text);
  }
}

async function repeat<Output>(
  connection: Connection,
  { signal, timeoutMs = connection.timeoutMs, maxRetries = connection.maxRetries }: CallOptions,
  repeatable: boolean,
  body: unknown,
  send: (signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  // True once an attempt may have been accepted without its answer arriving.
  let unsure = false;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await send(signal ? AbortSignal.any([signal, late]) : late);
    } catch (reason) {
      if (signal?.aborted) throw signal.reason;
      if (reason instanceof PostriderError) throw reason;
      const error = failureOf(reason, late, timeoutMs);
      if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED' && typeof body === 'string')
        throw new KeyUsed(error, await digestOf(body), unsure);
      const again = error instanceof ApiError ? isRetriable(error.status, repeatable) : repeatable;
      const delay = retryDelay(attempt, reason instanceof Refused ? reason.headers : undefined);
      if (!again || attempt >= maxRetries || delay > connection.maxRetryDelayMs) throw error;
      unsure ||= !(error instanceof ApiError) || error.status !== 429;
      await wait(delay, signal);
    }
  }
}

/** @param reason what `fetch` or reading the answer threw */
function failureOf(reason: unknown, late: AbortSignal, timeoutMs: number): ApiError | ConnectionError {
  if (reason instanceof Refused) return reason.error;
  if (late.aborted) return new TimeoutError(`No answer within ${timeoutMs} ms`, { cause: reason });
  const { message, cause } = reason instanceof Error ? reason : { message: String(reason), cause: undefined };
  const detail = cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
  return new ConnectionError(`The request got no answer (${detail})`, { cause: reason });
}

async function read({ raw, envelope }: Operation, response: Response): Promise<unknown> {
  if (raw) return response;
  if (response.status === 204) return undefined;
  const body = (await response.json()) as { data?: unknown };
  return envelope ? body.data : body;
}
