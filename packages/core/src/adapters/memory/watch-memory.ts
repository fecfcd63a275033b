import type { Logger } from 'pino';
import { memoryLevel, setMemoryLevel } from '../../base/kernel/memory-level.ts';
import type { Threads } from '../../base/kernel/ports/threads.ts';
import { shareOfCaches } from '../../base/lib/index.ts';
import { createIdleCollector } from './collect-when-idle.ts';
import { levelOf } from './level-of.ts';
import { readMemoryLeft } from './read-memory.ts';

const everyMs = 2_000;

export interface MemoryWatchOptions {
  everyMs?: number;
  /** the share that is left, or null where it is not known; tests give one of their own */
  read?: () => Promise<number | null>;
}

/**
 * Looks every two seconds at the memory that is left, and gives back what can be: threads without a task end, and caches hold half. What
 * begins later when memory is short asks `memoryLevel` or waits for `untilMemory`. A process that has nothing to do collects its garbage.
 *
 * @returns what ends the watch
 */
export function watchMemory(
  { log, threads }: { log: Logger; threads: Pick<Threads, 'release'> },
  { everyMs: interval = everyMs, read = readMemoryLeft }: MemoryWatchOptions = {},
): () => void {
  const collectWhenIdle = createIdleCollector();
  const look = async (): Promise<void> => {
    collectWhenIdle();
    const left = await read();
    const level = left === null ? 'enough' : levelOf(left);
    if (level !== 'enough') threads.release();
    if (level === memoryLevel()) return;
    shareOfCaches(level === 'enough' ? 1 : 0.5);
    setMemoryLevel(level);
    if (level === 'enough') log.info('there is enough memory again');
    else log.warn({ level, leftPercent: Math.round((left ?? 0) * 100) }, 'memory is running short');
  };
  const timer = setInterval(() => void look(), interval).unref();
  return () => {
    clearInterval(timer);
    shareOfCaches(1);
    setMemoryLevel('enough');
  };
}
