import type { Client, Pool } from 'pg';
import { SchemaError } from './schema-fit.ts';

/** Why no process runs on an installation that was stopped for a move. */
export const stoppedText = (stoppedAt: Date): string =>
  `This installation was stopped for a move (${stoppedAt.toISOString()}). Start the processes on the one that was restored, or let this one go on: npm run admin -- resume`;

/**
 * Reads also a database whose tables are those of an earlier version.
 *
 * @throws SchemaError when the installation was stopped
 */
export async function refuseStopped(client: Pick<Client | Pool, 'query'>): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('"Installation"') AND attname = 'stoppedAt') AS "exists"`,
  );
  if (!rows[0]?.exists) return;
  const stored = await client.query<{ stoppedAt: Date | null }>(
    'SELECT "stoppedAt" FROM "Installation" WHERE "id" = 1',
  );
  const stoppedAt = stored.rows[0]?.stoppedAt ?? null;
  if (stoppedAt) throw new SchemaError(stoppedText(stoppedAt));
}
