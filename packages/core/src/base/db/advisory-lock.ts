import type pg from 'pg';
import { openClient } from './connect.ts';

interface HeldLock {
  /** Whether this process has the lock: asks for it again where it does not. Without the database it has none. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
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
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "taken"',
        [`postrider ${name}`],
      );
      if (rows[0]?.taken) {
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
