import { fitSchemaWhenThere, SchemaError } from '@postrider/core/base/db';
import type { CoreConfig } from '@postrider/core/base/kernel';
import type { Logger } from 'pino';

/**
 * Aborts when the process should stop: on a signal, or when its parent has ended (the IPC channel closes), so that
 * no process remains after a `kill -9` of the parent.
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

/** Ends the process as a signal does: what was begun is handed back. */
export const endInOrder =
  (log: Logger) =>
  (why: string): void => {
    log.fatal(why);
    process.kill(process.pid, 'SIGTERM');
  };

/** Waits until this process can use its database; ends it, with the reason, when it cannot. */
export async function waitForSchema(
  { DATABASE_URL: url, MIGRATE: mode }: Pick<CoreConfig, 'DATABASE_URL' | 'MIGRATE'>,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await fitSchemaWhenThere({ url, mode, log }, stopping);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    process.stderr.write(`${error.message}\n`);
    log.flush();
    process.exit(1);
  }
}

/** Ends the process without writing anything that it remembers. */
export const endAtOnce =
  (log: Logger) =>
  (why: string): void => {
    log.fatal(why);
    log.flush();
    process.exit(1);
  };

const aliveMs = 5_000;

/** Reports to the parent process every few seconds that the event loop runs, and for how long the work has not gone on. */
export function reportAlive(stalledMs: () => number): void {
  const report = (): void => {
    process.send?.({ type: 'alive', stalledMs: stalledMs() });
  };
  report();
  setInterval(report, aliveMs).unref();
}

/** Reports to the parent process that this one is ready. */
export const reportReady = (): void => {
  process.send?.({ type: 'ready' });
};

/** Reports to the parent process that this one sends email, whether or not Temporal answers. */
export const reportSending = (): void => {
  process.send?.({ type: 'sending' });
};

/** Names to the parent process what this one is called in the rows that it holds. */
export const reportHolder = (worker: string): void => {
  process.send?.({ type: 'holder', worker });
};

/** Takes over what a former delivery process held, when the parent process says that it is gone. */
export function onTakeOver(takeOver: (worker: string) => Promise<void>, log: Logger): void {
  process.on('message', (message: { type?: string; worker?: string }) => {
    if (message.type !== 'takeOver' || message.worker === undefined) return;
    takeOver(message.worker).catch((error: unknown) =>
      log.warn({ err: error }, 'what a former process held is not taken over before its leases end'),
    );
  });
}
