import type { Logger } from 'pino';

/**
 * Aborts when the process is asked to stop: by a signal, or because the process that started it is gone (its IPC
 * channel closed), so that nothing is left behind after a `kill -9` of a parent.
 */
export function stopSignal(log: Logger): AbortSignal {
  const controller = new AbortController();
  const stop = (why: string): void => {
    if (controller.signal.aborted) return;
    log.info({ why }, 'stopping');
    controller.abort();
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
  process.once('disconnect', () => stop('parent went away'));
  return controller.signal;
}

/** Tells the process that started this one that it is up. */
export const reportReady = (): void => {
  process.send?.({ type: 'ready' });
};
