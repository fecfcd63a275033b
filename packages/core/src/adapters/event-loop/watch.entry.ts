/** The thread that ends its process when the event loop stands still. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createLog } from '../log/create-log.ts';
import { debuggerAt, heartbeatsAt, stallsAt, type WatchData } from './watch-data.ts';

/** Written at once: the streams of a thread pass through the event loop that stands still. */
const standardOutput = 1;

/** This many looks without a heartbeat count as a stall. A single one can fall between two heartbeats that are on time. */
const stallTicks = 2;

const { shared, source, tickMs, silentTicks } = workerData as WatchData;

const log = createLog(source, {
  write(line) {
    try {
      writeSync(standardOutput, line);
    } catch {
      // Nobody reads the output; the process ends all the same.
    }
  },
});

let heartbeats = -1;
let silent = 0;

// Looks are counted and not the clock: of a process that was stopped as a whole this thread was stopped too.
setInterval(() => {
  const now = Atomics.load(shared, heartbeatsAt);
  silent = now === heartbeats ? silent + 1 : 0;
  heartbeats = now;
  if (silent === stallTicks) Atomics.add(shared, stallsAt, 1);
  if (silent < silentTicks || Atomics.load(shared, debuggerAt) === 1) return;
  log.fatal({ silentMs: silent * tickMs }, 'the event loop stands still');
  process.kill(process.pid, 'SIGKILL');
}, tickMs);
