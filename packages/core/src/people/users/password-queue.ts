import { AppError } from '../../base/kernel/index.ts';

/** Hashes computed at a time: each takes 19 MiB or more and one of the process's four threads, which DNS and files need too. */
const concurrent = 2;
/** What waits beyond this is refused, so that a flood of logins neither grows without bound nor delays everyone by minutes. */
const longestQueue = 200;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs work that hashes a password, first come, first served.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED while too many wait
 */
export async function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running < concurrent) running += 1;
  else await nextTurn();
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The next one takes over this place, so that nothing that arrives in between overtakes it.
    if (next) next();
    else running -= 1;
  }
}

async function nextTurn(): Promise<void> {
  if (waiting.length >= longestQueue) {
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many people are signing in at the moment', {
      details: { retryAfter: 5 },
      suggestion: 'Try again in 5 seconds',
    });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}
