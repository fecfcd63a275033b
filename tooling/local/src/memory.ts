import { totalmem } from 'node:os';

const mb = 1_048_576;

/** Below this much memory a machine is small. */
export const smallBelowMb = 3_072;

/** The memory that the stack may use, in MB: `MEMORY_MB`, or else the limit of the container, or else what the machine has. */
export function memoryOf(env: Readonly<Record<string, string | undefined>>): number {
  if (env['MEMORY_MB']) return Number(env['MEMORY_MB']);
  // 0 where the system has no such limit; a container without one reports more than there is.
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / mb);
}

const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));

/** The settings of the embedded PostgreSQL on a machine with this much memory. Those of another server are its operator's. */
export function postgresSettings(memoryMb: number): Record<string, string | number> {
  return {
    shared_buffers: `${within(memoryMb / 16, 32, 2_048)}MB`,
    effective_cache_size: `${Math.round(memoryMb / 2)}MB`,
    work_mem: '4MB',
    maintenance_work_mem: `${within(memoryMb / 32, 32, 512)}MB`,
    ...(memoryMb < smallBelowMb
      ? { max_connections: 60, max_parallel_workers_per_gather: 0, max_parallel_maintenance_workers: 0 }
      : { max_connections: 200 }),
  };
}

export type NodeProgram = 'api' | 'worker' | 'delivery' | 'small' | 'mailbox';

/**
 * Heap of a process in MB, for what lives long and for new objects. V8 takes memory up to its limits before it collects, and by default they
 * follow from the memory of the machine, so that each process takes as much as if it were alone.
 */
const heaps: Readonly<Record<NodeProgram, { old: number; semiSpace: number; more?: string[] }>> = {
  // Under load new objects live as long as their request: in less room many of them are moved among the old ones first. After a pause V8 gives
  // memory back and then grows in small steps, so that it collects several times a second for as long as the next load lasts: an idle api collects
  // by itself (`createIdleCollector`), and what it has left may become four times as much.
  api: {
    old: 512,
    semiSpace: 64,
    more: ['--heap-growing-percent=300', '--no-memory-reducer', '--min-semi-space-size=16'],
  },
  worker: { old: 384, semiSpace: 8 },
  delivery: { old: 512, semiSpace: 16 },
  small: { old: 640, semiSpace: 8 },
  mailbox: { old: 256, semiSpace: 2 },
};

/** The flags of Node with which a program starts. `HEAP_MB` replaces the size of the heap of the product's processes. */
export function heapFlags(program: NodeProgram, env: Readonly<Record<string, string | undefined>>): string[] {
  const { old, semiSpace, more = [] } = heaps[program];
  const given = program === 'mailbox' ? undefined : env['HEAP_MB'];
  return [`--max-old-space-size=${given || old}`, `--max-semi-space-size=${semiSpace}`, ...more];
}

/** By default glibc keeps what is freed in an arena for each thread; two of them cost a process little. */
export const mallocEnv = { MALLOC_ARENA_MAX: '2' } as const;

/** The Go runtime of the Temporal server collects earlier, and near its limit more often. */
export const temporalEnv = { GOMEMLIMIT: '120MiB', GOGC: '50' } as const;

/** Caches of the Temporal server by their size, which is small: the product has few open workflows, whatever the load. */
export const temporalSettings: Readonly<Record<string, string | number | boolean>> = {
  'history.cacheSizeBasedLimit': true,
  'history.hostLevelCacheMaxSizeBytes': 8 * mb,
  'history.enableHostLevelEventsCache': true,
  'history.eventsHostLevelCacheMaxSizeBytes': 8 * mb,
};
