import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres, stopPostgres } from '@postrider/local/postgres';
import { isAlive } from '@postrider/local/processes';
import type { TestProject } from 'vitest/node';
import { buildTemplate } from './template-database.ts';

const PREFIX = 'postrider-test-';

interface Shared {
  users: number;
  server: Promise<{ postgres: Postgres; folder: string }>;
}

// Vitest loads this file once per project of the workspace; the global object is what they all share.
const store = globalThis as typeof globalThis & { postriderTestPostgres?: Shared };

/**
 * Starts one temporary PostgreSQL for the whole run and builds the template of every test database.
 *
 * @public called by Vitest
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  store.postriderTestPostgres ??= { users: 0, server: start() };
  const shared = store.postriderTestPostgres;
  shared.users++;
  const { postgres } = await shared.server;
  project.provide('postgresUrl', postgres.url);

  return async () => {
    shared.users--;
    if (shared.users > 0) return;
    delete store.postriderTestPostgres;
    const { folder } = await shared.server;
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function start(): Promise<{ postgres: Postgres; folder: string }> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), throwAway: true });
  // An aborted run does not reach its teardown.
  process.once('exit', () => {
    try {
      process.kill(postgres.pid, 'SIGINT');
    } catch {
      // It has already ended.
    }
  });
  await buildTemplate(postgres.url);
  return { postgres, folder };
}

/** A killed run leaves its server running; the next one stops it and removes the folder. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || (await isAlive(Number(owner)))) continue;
    await stopPostgres(join(tmpdir(), name, 'postgres'));
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL of this run. */
    postgresUrl: string;
  }
}
