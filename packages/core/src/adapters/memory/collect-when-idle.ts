import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process whose event loop is busy for less than this share has nothing to do. */
const idleBelow = 0.05;
/** Looks in a row at which it had nothing to do. */
const idleLooks = 15;
/** Less is not worth a collection, which stops the process meanwhile. */
const worthBytes = 8 * 1_048_576;

/**
 * V8 collects when it needs room, so an idle process keeps the garbage of its last work for hours. What this returns is called at every look, and
 * collects once after 15 idle ones in a row, if there is more than was left by the last time.
 *
 * @returns whether it collected
 */
export function createIdleCollector({
  busy = busyShare(),
  used = () => getHeapStatistics().used_heap_size,
  collect = collector(),
} = {}): () => boolean {
  let idle = 0;
  let left = 0;
  return () => {
    idle = busy() < idleBelow ? idle + 1 : 0;
    if (idle < idleLooks || used() - left < worthBytes) return false;
    collect();
    left = used();
    idle = 0;
    return true;
  };
}

/** The share of time in which the event loop was busy since the last call. */
function busyShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** As if memory had run out: only then V8 gives back the room for new objects, 128 MB of an api that was busy. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  return () => gc({ type: 'major', flavor: 'last-resort' });
}
