import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from './connect.ts';

interface HeldLock {
  /** Whether this process has the lock: asks for it again where it does not. Without the database it has none. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

async function tryAdvisoryLock(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "taken"',
    [`postrider ${name}`],
  );
  return rows[0]?.taken === true;
}

const betweenTriesMs = 100;

/**
 * Works while its session holds the lock, for which it waits. A statement that waits for the lock would have a snapshot, for which the build of an
 * index waits: so it asks again and again.
 */
export async function withAdvisoryLock<Result>(
  client: pg.ClientBase,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  while (!(await tryAdvisoryLock(client, name))) await sleep(betweenTriesMs);
  try {
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`postrider ${name}`]);
  }
}

/** A lock that one process of all has, for as long as its connection lasts. While another one has it, no connection is open. */
export function holdAdvisoryLock(url: string, name: string): HeldLock {
  let holding: pg.Client | null = null;
  const release = async (): Promise<void> => {
    const client = holding;
    holding = null;
    await client?.end().catch(() => undefined);
  };
  const take = async (): Promise<boolean> => {
    const client = openClient({
      connectionString: url,
      application_name: `postrider ${name}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    try {
      await client.connect();
      if (await tryAdvisoryLock(client, name)) {
        holding = client;
        return true;
      }
    } catch {
      // The database is away: the next look tries again.
    }
    await client.end().catch(() => undefined);
    return false;
  };
  return {
    release,
    async isHeld() {
      if (holding === null) return take();
      try {
        await holding.query('SELECT');
        return true;
      } catch {
        await release();
        return take();
      }
    },
  };
}
