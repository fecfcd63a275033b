import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** A commit that has waited so long does not only wait for its turn. */
const waitsForMs = 3_000;
/** A statement that took long may be waiting at this moment, for a moment. */
const againMs = 300;

/** Statements of this user that wait for a standby. Those of others are not shown to it. */
const waitingSql = `
  SELECT array_agg("pid" || ' ' || "query_start") AS "waiting" FROM pg_stat_activity
  WHERE "datname" = current_database() AND "wait_event" = 'SyncRep'
    AND "query_start" < clock_timestamp() - ${waitsForMs} * interval '1 millisecond'`;

/**
 * Throws if the database does not answer, or if it confirms no commits: they wait for a standby, because none is there, or because this server
 * was cut off from those that are, and one of them was promoted.
 */
export async function assertConfirmsCommits(pool: pg.Pool): Promise<void> {
  const read = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ waiting: string[] | null }>(waitingSql);
    return rows[0]?.waiting ?? [];
  };
  const waiting = await read();
  if (waiting.length === 0) return;
  await delay(againMs);
  const still = new Set(await read());
  if (waiting.some((one) => still.has(one)))
    throw new Error(`Commits wait for a standby: they are not confirmed for ${waitsForMs / 1_000} s`);
}
