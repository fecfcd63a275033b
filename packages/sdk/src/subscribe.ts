import { ApiError, ConnectionError, refusalOf } from './errors.ts';

export interface SubscribeInput {
  email: string;
  /** Fields of the form, by their keys. */
  fields?: Readonly<Record<string, string | boolean>>;
  /** Keys of the topics that were ticked; needed by a form with several. */
  topics?: readonly string[];
  /** Language of the email that asks for the confirmation, such as `de`. */
  language?: string;
  /** Address of the page on which it was asked. */
  page?: string;
}

export interface SubscribeOptions {
  /** Address of the forms, such as `https://mail.example.com`: what comes before `/f/` in the address of the form. */
  baseUrl: string | URL;
  signal?: AbortSignal;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

interface Challenge {
  token: string;
  work: { salt: string; bits: number } | null;
}

/** A little more than the least age of a challenge when it is used, in milliseconds. */
const leastAgeMs = 2_100;

/**
 * Sends a sign-up form for the visitor of a page. It needs no key. The answer is the same for every address: whoever reads the mailbox is asked to
 * confirm. Where the form is guarded against automatic sign-ups, this takes some seconds of computing.
 *
 * It is for browsers: the limits of forms are those of one visitor. A server asks with `subscriptionRequests.create`.
 *
 * @throws ValidationError with the fields to correct; RateLimitError; ApiError when the form takes no sign-ups; ConnectionError without an answer
 */
export async function subscribe(
  formId: string,
  input: SubscribeInput,
  { baseUrl, signal, fetch = (...args) => globalThis.fetch(...args) }: SubscribeOptions,
): Promise<void> {
  const address = `${String(baseUrl).replace(/[/]+$/, '')}/f/${encodeURIComponent(formId)}`;
  const ask = async (path: string, body?: object): Promise<Response> => {
    try {
      return await fetch(address + path, {
        ...(signal && { signal }),
        ...(body && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new ConnectionError('The form could not be sent', { cause: error });
    }
  };
  const send = async (body: object): Promise<void> => {
    const response = await ask('', body);
    const text = await response.text();
    if (!response.ok) throw refusalOf(response, text);
  };
  try {
    await send(input);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors.some(({ field }) => field === 'work')) throw error;
    const since = Date.now();
    const response = await ask('/challenge');
    const text = await response.text();
    if (!response.ok) throw refusalOf(response, text);
    const { token, work } = JSON.parse(text) as Challenge;
    const solution = work && (await solve(work, input.email, signal));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, leastAgeMs - (Date.now() - since))));
    await send({ ...input, token, ...(solution !== null && { work: solution }) });
  }
}

/** A text with which SHA-256 of `<salt>:<email>:<text>` begins with as many zero bits. */
async function solve(
  { salt, bits }: { salt: string; bits: number },
  email: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const encoder = new TextEncoder();
  for (let n = 0; ; n += 1) {
    signal?.throwIfAborted();
    const hash = new DataView(await crypto.subtle.digest('SHA-256', encoder.encode(`${salt}:${email}:${n}`)));
    if (hash.getUint32(0) >>> (32 - bits) === 0) return String(n);
  }
}
