import { PostriderError } from './errors.ts';

export interface PostriderOptions {
  /** A secret key (`sk_…`) on servers; in browsers only a public key (`pk_…`). */
  apiKey: string;
  /** Address of the API, such as `https://mail.example.com`. */
  baseUrl: string | URL;
  /** Milliseconds to wait for an answer, for each attempt. Default 30,000. */
  timeoutMs?: number;
  /** How often a request is repeated at most, when that is safe. Default 2. */
  maxRetries?: number;
  /** Longest wait before a retry, in milliseconds. An answer that asks for more is thrown. Default 60,000. */
  maxRetryDelayMs?: number;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Where requests go, and how. */
export interface Connection {
  readonly apiKey: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Checks the options; sends nothing.
 *
 * @throws PostriderError when the key is missing, or is a secret one in a browser; or the address is none
 */
export function connect(options: PostriderOptions): Connection {
  const { apiKey, timeoutMs = 30_000, maxRetries = 2, maxRetryDelayMs = 60_000 } = options;
  if (!isPublicKey(apiKey) && !/^sk_./.test(apiKey ?? ''))
    throw new PostriderError('apiKey must be a key of your project: sk_… on servers, pk_… in browsers');
  if (isBrowser() && !isPublicKey(apiKey))
    throw new PostriderError(
      'A secret key must not be used in a browser, where every visitor can read it: use the public key (pk_…), which may only track',
    );
  return {
    apiKey,
    baseUrl: addressOf(options.baseUrl),
    timeoutMs,
    maxRetries,
    maxRetryDelayMs,
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
  };
}

export const isPublicKey = (apiKey: string): boolean => /^pk_./.test(apiKey);

/** Pages and extensions have a document; Node, Deno, Bun and edge runtimes do not. */
const isBrowser = (): boolean => 'document' in globalThis && 'window' in globalThis;

function addressOf(baseUrl: string | URL): string {
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new PostriderError('baseUrl must be the address of the API, such as https://mail.example.com');
  return `${url.origin}${url.pathname}`.replace(/[/]+$/, '');
}
