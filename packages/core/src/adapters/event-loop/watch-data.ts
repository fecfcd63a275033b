import type { LogSource } from '../log/create-log.ts';

/** What the watching thread is started with. */
export interface WatchData {
  shared: Int32Array<SharedArrayBuffer>;
  source: LogSource;
  tickMs: number;
  silentTicks: number;
}

/** Places in the shared memory: the number of heartbeats, whether a debugger can stop the event loop, and how often it stood still. */
export const heartbeatsAt = 0;
export const debuggerAt = 1;
export const stallsAt = 2;
