import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { ChildMetrics, type Snapshot } from './process-metrics.ts';
import { watchChild } from './watchdog.ts';

const restartDelayMs = 500;
/** Signatures are made on libuv's pool, which files and DNS share. Its size can only be set before a process starts. */
const threadPool = {
  UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? String(Math.max(4, availableParallelism() + 2)),
};
/**
 * Messages are composed on threads and freed by the main one. By default glibc keeps what is freed in an arena for each thread, and V8
 * keeps 128 MiB for new objects: together a third of the memory of a process that sends a large campaign.
 */
const memory = { MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2' };
/**
 * By default V8 has four helper threads for garbage collection, whatever the number of cores. On a small machine they compete with
 * the api and PostgreSQL.
 */
const helpers = Math.max(1, Math.min(4, availableParallelism() - 1));
/** `HEAP_MB` replaces the size of the heap, of every process of the product. */
const flags = [
  `--max-old-space-size=${process.env['HEAP_MB'] || 512}`,
  '--max-semi-space-size=16',
  `--v8-pool-size=${helpers}`,
];
const entry = fileURLToPath(new URL('./mail-worker.ts', import.meta.url));

export interface MailProcesses {
  /** resolves when every process is ready */
  ready: Promise<void>;
  /** the sum of their metrics */
  metrics(): Promise<Snapshot>;
  stop(): Promise<void>;
}

/**
 * Keeps `count` delivery processes running. One that dies or hangs is restarted; the ledger records what it had claimed, and its
 * successor takes that over at once.
 */
export function startMailProcesses(count: number, log: Logger): MailProcesses {
  const children = new Set<ChildProcess>();
  const metrics = new ChildMetrics();
  const gone: string[] = [];
  let stopping = false;

  const start = (): Promise<void> =>
    new Promise((resolve) => {
      const child = fork(entry, {
        stdio: 'inherit',
        execArgv: [...process.execArgv, ...flags],
        env: { ...process.env, ...threadPool, ...memory },
      });
      children.add(child);
      metrics.add(child);
      watchChild(child, log);
      let holder: string | undefined;
      child.on('message', (message: { type?: string; worker?: string }) => {
        if (message.type === 'holder') holder = message.worker;
        if (message.type !== 'ready') return;
        for (const worker of gone.splice(0)) {
          child.send({ type: 'takeOver', worker }, (error) => {
            if (error) gone.push(worker);
          });
        }
        resolve();
      });
      child.once('exit', (code, signal) => {
        children.delete(child);
        if (holder !== undefined) gone.push(holder);
        if (stopping) return;
        log.error({ code, signal }, 'a delivery process ended; starting another');
        setTimeout(() => {
          if (!stopping) void start().then(resolve);
        }, restartDelayMs);
      });
    });

  const ready = Promise.all(Array.from({ length: count }, start)).then(() => undefined);
  return {
    ready,
    metrics: () => metrics.read(),
    async stop() {
      stopping = true;
      await Promise.all(
        [...children].map((child) => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          return ended;
        }),
      );
    },
  };
}
