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
 * Records that the transfer of these messages begins, each only while its fence and its lease hold. Durable: after this
 * a crash makes the email UNCERTAIN instead of being sent a second time.
 *
 * Rows are looked up by primary key in the order of their ids, whatever the statistics say about a table that was
 * filled a moment ago.
 *
 * @returns the ids that may go out
 */
export async function recordDataStarted(client: PoolClient, beginnings: Beginning[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    recordStart({ ids: beginnings.map(({ id }) => id), tokens: beginnings.map(({ token }) => token) }),
  );
  return new Set(rows.map(({ id }) => id));
}
