/** Statuses of a server that may answer well a moment later. */
const passing = new Set([500, 502, 503, 504]);

/**
 * Whether a refused request may be sent again. The API stored nothing of a request that it refused with 429, so any may be
 * repeated; after a failure only one that changes nothing twice.
 */
export const isRetriable = (status: number, repeatable: boolean): boolean =>
  status === 429 || (repeatable && passing.has(status));

/**
 * Milliseconds to wait before the next attempt: what the answer asks for, else a random time that doubles.
 *
 * @param attempt 0 for the first
 */
export function retryDelay(attempt: number, headers?: Headers): number {
  const asked = headers?.get('retry-after') ?? headers?.get('ratelimit-reset');
  const limited = headers?.get('retry-after') != null || headers?.get('ratelimit-remaining') === '0';
  if (asked != null && limited) {
    const seconds = Number(asked);
    // RFC 9110, 10.2.3: seconds, or a date.
    const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
    if (delay >= 0) return delay;
  }
  return Math.random() * Math.min(8_000, 500 * 2 ** attempt);
}

/** @throws the reason of the signal, when it is aborted before */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
