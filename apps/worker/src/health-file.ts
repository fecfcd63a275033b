import { writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';

const everyMs = 5_000;

/**
 * Touches a file every 5 seconds while the event loop runs: a container's health check looks at its age, as the worker listens on no
 * port.
 */
export function keepHealthFile(path: string, log: Logger): void {
  const touch = (): void => {
    writeFile(path, `${new Date().toISOString()}\n`).catch((error: unknown) =>
      log.warn({ err: error, path }, 'the health file cannot be written'),
    );
  };
  touch();
  setInterval(touch, everyMs).unref();
}
