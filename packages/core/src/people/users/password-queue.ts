import { AppError } from '../../base/kernel/index.ts';
import { Slots } from '../../base/lib/index.ts';

const slots = new Slots({
  // Each hash takes 19 MiB or more and one of the process's four threads, which DNS and files need too.
  places: 2,
  // What waits beyond this is refused, so that a flood of logins neither grows without bound nor delays everyone by minutes.
  waiting: 200,
  full: () =>
    new AppError('RATE_LIMIT_EXCEEDED', 'Too many people are signing in at the moment', {
      details: { retryAfter: 5 },
      suggestion: 'Try again in 5 seconds',
    }),
});

/**
 * Runs work that hashes a password, first come, first served.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED while too many wait
 */
export const inPasswordQueue = <T>(work: () => Promise<T>): Promise<T> => slots.run(work);
