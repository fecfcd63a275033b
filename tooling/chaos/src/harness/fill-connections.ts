import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const tooManyConnections = '53300';
const roundMs = 200;

/**
 * Takes every connection of a PostgreSQL server for a time. Those of others are ended first, so that they have to be
 * opened again and find no place.
 */
export async function fillConnections(url: string, forMs: number): Promise<void> {
  const administrator = await open(url);
  const taken: pg.Client[] = [];
  const until = Date.now() + forMs;
  try {
    while (Date.now() < until) {
      await fill(url, taken);
      await administrator.query(
        `SELECT pg_terminate_backend("pid") FROM pg_stat_activity
         WHERE "backend_type" = 'client backend' AND "pid" <> pg_backend_pid() AND "application_name" <> $1`,
        [applicationName],
      );
      await fill(url, taken);
      await sleep(roundMs);
    }
  } finally {
    await Promise.all(taken.map((client) => client.end()));
    await administrator.end();
  }
}

const applicationName = 'chaos-filler';

async function fill(url: string, taken: pg.Client[]): Promise<void> {
  for (;;) {
    try {
      taken.push(await open(url));
    } catch (error) {
      if ((error as { code?: string }).code === tooManyConnections) return;
      throw error;
    }
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
