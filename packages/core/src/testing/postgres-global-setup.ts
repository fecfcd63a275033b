import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { dataFolder, dataRoots } from '@postrider/local/data-folder';
import { POSTGRES_15, type Postgres, startPostgres, stopPostgres } from '@postrider/local/postgres';
import { isAlive } from '@postrider/local/processes';
import type { TestProject } from 'vitest/node';
import { buildTemplate } from './template-database.ts';

const PREFIX = 'postrider-test-';

interface Shared {
  users: number;
  servers: Promise<Servers>;
}

interface Servers {
  postgres: Postgres;
  /** Says the URL of a server of PostgreSQL 15, which it starts when it is asked for the first time: few files need it. */
  oldest: { url: string; stop(): Promise<void> };
  stop(): Promise<void>;
}

// Vitest loads this file once per project of the workspace; the global object is what they all share.
const store = globalThis as typeof globalThis & { postriderTestPostgres?: Shared };

/**
 * Starts one temporary PostgreSQL for the whole run and builds the template of every test database.
 *
 * @public called by Vitest
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  store.postriderTestPostgres ??= { users: 0, servers: start() };
  const shared = store.postriderTestPostgres;
  shared.users++;
  const { postgres, oldest } = await shared.servers;
  project.provide('postgresUrl', postgres.url);
  project.provide('oldestPostgres', oldest.url);

  return async () => {
    shared.users--;
    if (shared.users > 0) return;
    delete store.postriderTestPostgres;
    await (await shared.servers).stop();
  };
}

async function start(): Promise<Servers> {
  await removeLeftovers();
  const folder = await dataFolder(`${PREFIX}${process.pid}-`);
  const postgres = await startWithTemplate(join(folder, 'postgres'));
  const oldest = await offer(() => startWithTemplate(join(folder, 'postgres-15'), POSTGRES_15));
  return {
    postgres,
    oldest,
    async stop() {
      await Promise.all([postgres.stop(), oldest.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startWithTemplate(dataDir: string, binDir?: string): Promise<Postgres> {
  const postgres = await startPostgres({
    dataDir,
    throwAway: true,
    ...(binDir === undefined ? {} : { binDir }),
  });
  // An aborted run does not reach its teardown.
  process.once('exit', () => {
    try {
      process.kill(postgres.pid, 'SIGINT');
    } catch {
      // It has already ended.
    }
  });
  await buildTemplate(postgres.url);
  return postgres;
}

async function offer(begin: () => Promise<Postgres>): Promise<Servers['oldest']> {
  let begun: Promise<Postgres> | undefined;
  const door = createServer((_request, response) => {
    begun ??= begin();
    begun.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async stop() {
      door.close();
      door.closeAllConnections();
      const postgres = await begun?.catch(() => undefined);
      await postgres?.stop();
    },
  };
}

/** A killed run leaves its server running; the next one stops it and removes the folder. */
async function removeLeftovers(): Promise<void> {
  for (const root of dataRoots)
    for (const name of await readdir(root).catch(() => [])) {
      const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
      if (owner === undefined || (await isAlive(Number(owner)))) continue;
      for (const dataDir of ['postgres', 'postgres-15']) await stopPostgres(join(root, name, dataDir));
      await rm(join(root, name), { recursive: true, force: true });
    }
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL of this run. */
    postgresUrl: string;
    /** Answers with that of a server of PostgreSQL 15. */
    oldestPostgres: string;
  }
}
