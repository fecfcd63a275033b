import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../db/index.ts';

export interface Beginning {
  id: string;
  token: string;
}

const recordStart = prepared<{ ids: string[]; tokens: string[] }>(
  'record-data-started',
  ({ ids, tokens }) => Prisma.sql`
WITH mine AS (
  SELECT d."emailId"
  FROM (SELECT * FROM unnest(${ids}::uuid[], ${tokens}::uuid[]) AS u(id, token) ORDER BY id) u
  CROSS JOIN LATERAL (
    SELECT "emailId" FROM "Delivery" WHERE "emailId" = u.id AND "token" = u.token AND "dataStartedAt" IS NULL FOR UPDATE
  ) d
  WHERE EXISTS (SELECT FROM "DeliveryLease" l WHERE l."token" = u.token AND l."leaseUntil" > clock_timestamp())
)
UPDATE "Delivery" d SET "dataStartedAt" = clock_timestamp()
FROM mine WHERE d."emailId" = mine."emailId"
RETURNING d."emailId" AS id`,
);

/**
 * Records that the transfer of these messages begins, each only if its fence matches and its lease has not expired.
 * Durable: a crash after this makes the email UNCERTAIN instead of sending it twice.
 *
 * Rows are looked up by primary key in the order of their ids, even when the statistics of a recently filled table
 * are wrong.
 *
 * @returns the ids that may be transferred
 */
export async function recordDataStarted(client: PoolClient, beginnings: Beginning[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    recordStart({ ids: beginnings.map(({ id }) => id), tokens: beginnings.map(({ token }) => token) }),
  );
  return new Set(rows.map(({ id }) => id));
}
