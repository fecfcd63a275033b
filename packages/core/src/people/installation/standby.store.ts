import { setTimeout as delay } from 'node:timers/promises';
import { type Database, databaseIsUnreachable } from '../../base/db/index.ts';
import { databaseServers } from '../../base/lib/index.ts';
import { withDatabase } from './scratch.store.ts';
import { readSystemId, type WalMoment } from './server.store.ts';

/**
 * The address of a standby of this server, among those that `DATABASE_URL` names; null if none of them is there, takes reads, and is one.
 *
 * @param url with one server or several
 */
export async function findStandby(database: Database, url: string): Promise<string | null> {
  const systemId = await readSystemId(database);
  for (const each of databaseServers(url)) {
    const isOne = await withDatabase(each, async (server) => {
      const { rows } = await server.durable.query<{ isStandby: boolean }>(
        'SELECT pg_is_in_recovery() AS "isStandby"',
      );
      return rows[0]?.isStandby === true && (await readSystemId(server)) === systemId;
    }).catch((error: unknown) => {
      if (databaseIsUnreachable(error)) return false;
      throw error;
    });
    if (isOne) return each;
  }
  return null;
}

const againMs = 200;

/**
 * Waits until a standby has what the primary had written at a moment.
 *
 * @returns how many bytes of WAL it has not replayed when the time is over; 0 as soon as it has all
 */
export async function untilReplayed(
  { durable }: Database,
  { lsn }: WalMoment,
  timeoutMs: number,
): Promise<number> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await durable.query<{ missing: string }>(
      `SELECT greatest(0, $1::pg_lsn - coalesce(pg_last_wal_replay_lsn(), '0/0'))::text AS "missing"`,
      [lsn],
    );
    const missing = Number(rows[0]?.missing ?? 0);
    if (missing === 0 || performance.now() > end) return missing;
    await delay(againMs);
  }
}
