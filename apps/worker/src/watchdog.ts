import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

export interface WatchdogOptions {
  checkMs: number;
  /** checks without a report in between, after which the event loop of the process is taken for blocked */
  silentChecks: number;
  /** reported time without progress after which the process is stopped */
  stalledMs: number;
  /** time for an orderly stop */
  stopMs: number;
}

export const defaultWatchdogOptions: WatchdogOptions = {
  checkMs: 5_000,
  silentChecks: 12,
  stalledMs: 5 * 60_000,
  stopMs: 40_000,
};

/**
 * Ends a process that has reported once and then falls silent, or reports that its work does not go on. Silence is counted in checks
 * and not by the clock: a machine that was suspended as a whole makes no process silent.
 */
export function watchChild(child: ChildProcess, log: Logger, options = defaultWatchdogOptions): void {
  const { checkMs, silentChecks, stalledMs, stopMs } = options;
  let silent: number | null = null;
  let stopAt = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    if (silent !== null) silent += 1;
    if ((silent ?? 0) > silentChecks || performance.now() > stopAt) {
      log.error({ pid: child.pid }, 'a delivery process does not respond; it is killed');
      child.kill('SIGKILL');
    }
  }, checkMs);
  child.on('message', (message: { type?: string; stalledMs?: number }) => {
    silent = 0;
    if ((message.stalledMs ?? 0) < stalledMs || stopAt < Number.POSITIVE_INFINITY) return;
    log.error(
      { pid: child.pid, stalledMs: message.stalledMs },
      'a delivery process has stalled; it is stopped',
    );
    stopAt = performance.now() + stopMs;
    child.kill('SIGTERM');
  });
  child.once('exit', () => clearInterval(timer));
}
