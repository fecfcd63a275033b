import { setTimeout as delay } from 'node:timers/promises';
import { enterJobKind } from '../../automation/workflows/index.ts';
import { holdAdvisoryLock } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { slicedTables } from '../../base/slices/index.ts';
import { freeShareOf, readSweepBacklog } from '../findings/index.ts';
import { DatabaseGauges, type Look } from './gauges.ts';
import { readMail, readQueues } from './queues.store.ts';
import { readRoutes, readServer } from './server.store.ts';
import { readSliceStates } from './slices.store.ts';

const lookMs = 15_000;

/** What the metrics say of the database at this moment. */
export async function lookAtDatabase({ config, database, workflows }: Services): Promise<Look> {
  const { grouped } = database;
  const [mail, queues, server, routes, slices, sweepBacklog, isEngineUp] = await Promise.all([
    readMail(grouped),
    readQueues(grouped, enterJobKind),
    readServer(grouped),
    readRoutes(grouped),
    readSliceStates(
      grouped,
      slicedTables.map(({ name }) => name),
    ),
    readSweepBacklog(grouped, config),
    workflows.healthy(),
  ]);
  const folders = { uploads: config.DATA_DIR, database: server.dataDirectory };
  const diskFree = new Map<string, number>();
  for (const [what, folder] of Object.entries(folders)) {
    // With S3 no image is stored here; the database may be on another machine.
    const share = folder === null ? null : await freeShareOf(folder);
    if (share !== null) diskFree.set(what, share);
  }
  return { mail, queues, server, routes, slices, sweepBacklog, diskFree, isEngineUp };
}

/**
 * Keeps the gauges of the database, in one process of all that call this: the one that holds an advisory lock. When that ends, another one
 * takes its place.
 *
 * @returns what stops it
 */
export function watchDatabase(services: Services, everyMs = lookMs): () => Promise<void> {
  const { config, log } = services;
  const gauges = new DatabaseGauges();
  const stopping = new AbortController();
  const lock = holdAdvisoryLock(config.DATABASE_URL, 'metrics');
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if (await lock.isHeld()) gauges.show(await lookAtDatabase(services));
        else gauges.clear();
      } catch (error) {
        gauges.clear();
        log.debug({ err: error }, 'the gauges of the database could not be read; they are looked at again');
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    gauges.clear();
    await lock.release();
  };
}
