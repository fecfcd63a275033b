import { setTimeout as sleep } from 'node:timers/promises';

export interface TrackedEvent {
  email: string;
  event: string;
  data: Record<string, unknown>;
}

const patienceMs = 120_000;
const pauseMs = 200;
const requestTimeoutMs = 15_000;

/**
 * Tracks an event and retries while the service is down. The idempotency key makes all attempts one event: 409 means
 * that an earlier request stored it and only its reply was lost.
 *
 * @throws Error if the service refuses the event, or does not accept it for two minutes
 */
export async function trackUntilStored(
  api: string,
  publicKey: string,
  idempotencyKey: string,
  event: TrackedEvent,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const status = await track(api, publicKey, idempotencyKey, event);
    if (status === 200 || status === 409) return;
    if (status !== null && status < 500) throw new Error(`/v1/track answered ${status} for ${event.email}`);
    if (Date.now() > deadline)
      throw new Error(`/v1/track takes no event for ${patienceMs / 1_000} s: ${status ?? 'no answer'}`);
    await sleep(pauseMs);
  }
}

async function track(
  api: string,
  publicKey: string,
  idempotencyKey: string,
  event: TrackedEvent,
): Promise<number | null> {
  try {
    const response = await fetch(new URL('/v1/track', api), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${publicKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    // The API has lost its database, or the reply was lost; the caller retries.
    return null;
  }
}
