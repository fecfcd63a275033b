import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, attempt } from './answers.ts';

export interface TrackedEvent {
  email: string;
  event: string;
  data: Record<string, unknown>;
}

const patienceMs = 120_000;
const pauseMs = 200;

/**
 * Tracks an event and retries while the service is down. The idempotency key makes all attempts one event: 409 means
 * that an earlier request stored it and only its reply was lost.
 *
 * @param answered is told what became of each request
 * @throws Error if the service refuses the event, or does not accept it for two minutes
 */
export async function trackUntilStored(
  api: string,
  publicKey: string,
  idempotencyKey: string,
  event: TrackedEvent,
  answered?: Answered,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { status } = await attempt(
      { api, path: '/v1/track', key: publicKey, idempotencyKey, body: event },
      answered,
    );
    if (status === 200 || status === 409) return;
    if (status !== null && status < 500) throw new Error(`/v1/track answered ${status} for ${event.email}`);
    if (Date.now() > deadline)
      throw new Error(`/v1/track takes no event for ${patienceMs / 1_000} s: ${status ?? 'no answer'}`);
    await sleep(pauseMs);
  }
}
