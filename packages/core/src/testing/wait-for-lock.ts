import type { Database } from '../base/db/index.ts';

/**
 * Resolves as soon as a statement in this database waits for another transaction, so that a test can end that
 * transaction at the right moment instead of after a sleep.
 */
export async function waitForLock({ durable }: Pick<Database, 'durable'>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { rows } = await durable.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
  throw new Error('no statement came to wait for a lock');
}
