import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** While the database is away, delivery starts without: it waits for it anyway. */
const patienceMs = 10_000;

/**
 * Does ahead what the first email would wait for: threads that compose, connections, and plans of their statements. Resolves when
 * everything is done, has failed, or takes too long.
 */
export async function warmUp(steps: readonly (() => Promise<unknown>)[], log: Logger): Promise<void> {
  const expired = new AbortController();
  const done = Promise.all(
    steps.map((step) =>
      step().catch((error: unknown) =>
        log.debug({ err: error }, 'delivery starts before everything is prepared'),
      ),
    ),
  );
  await Promise.race([done, delay(patienceMs, undefined, { signal: expired.signal }).catch(() => undefined)]);
  expired.abort();
}
