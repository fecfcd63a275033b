import { AppError, type Services } from '../../base/kernel/index.ts';
import { raiseAttempts } from './attempts.store.ts';

const windowSeconds = 60;

/**
 * Counts requests that a user makes with a session; a batch counts each of its calls (behaviour B8.1).
 *
 * @throws AppError RATE_LIMIT_EXCEEDED above as many a minute as a key may make
 */
export async function countSessionRequests(
  services: Services,
  userId: string,
  requests: number,
): Promise<void> {
  const key = `session:${userId}`;
  const { count, resetSeconds } = await raiseAttempts(services.database, key, windowSeconds, requests);
  if (count <= services.config.RATE_LIMIT_PER_MINUTE) return;
  throw new AppError('RATE_LIMIT_EXCEEDED', 'You have reached the request limit', {
    details: { retryAfter: resetSeconds },
  });
}
