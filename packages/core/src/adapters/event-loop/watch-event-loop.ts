import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { Counter, register } from 'prom-client';
import type { LogSource } from '../log/create-log.ts';
import { threadFlags } from '../thread-flags.ts';
import { debuggerAt, heartbeatsAt, stallsAt, type WatchData } from './watch-data.ts';

export interface WatchOptions {
  /** the interval of heartbeats, and of the watching thread's looks, in milliseconds */
  tickMs?: number;
  /** looks of the watching thread without a heartbeat after which the process ends */
  silentTicks?: number;
}

/**
 * Ends this process when its event loop stands still: no supervisor sees that, and what runs, waits. A thread counts the heartbeats of the
 * event loop; after 30 of its own seconds without one it writes a line to the log and kills the process. While the process is stopped as a
 * whole (SIGSTOP, a suspended machine), its thread counts nothing either. Off while a debugger can stop the event loop. Shorter stalls, from
 * two looks on, are counted in `postrider_event_loop_stalls_total`.
 *
 * @param source of the log line
 * @returns what ends the watch
 */
export function watchEventLoop(
  source: LogSource,
  { tickMs = 1_000, silentTicks = 30 }: WatchOptions = {},
): () => void {
  const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const beat = (): void => {
    Atomics.store(shared, debuggerAt, inspectorUrl() === undefined ? 0 : 1);
    Atomics.add(shared, heartbeatsAt, 1);
  };
  beat();
  countStalls(() => Atomics.load(shared, stallsAt));
  const heart = setInterval(beat, tickMs).unref();
  const watch = new Worker(new URL('./watch.entry.ts', import.meta.url), {
    workerData: { shared, source, tickMs, silentTicks } satisfies WatchData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    execArgv: threadFlags,
    env: {},
  });
  watch.unref();
  return () => {
    clearInterval(heart);
    void watch.terminate();
  };
}

function countStalls(read: () => number): void {
  const name = 'postrider_event_loop_stalls_total';
  register.removeSingleMetric(name);
  new Counter({
    name,
    help: 'How often the event loop stood still for about two seconds or longer',
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
