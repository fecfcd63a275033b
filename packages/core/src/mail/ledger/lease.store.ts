import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { BatchKey } from './batch.ts';
import { byBatchKey, byKey } from './by-key.ts';

const extend = prepared<{ ids: string[]; tokens: string[]; leaseMs: number }>(
  'renew-leases',
  ({ ids, tokens, leaseMs }) => Prisma.sql`
-- Locked one after another by id, as a recording does: in any other order the two would wait for each other.
WITH held AS MATERIALIZED (
  SELECT b."id" FROM (SELECT * FROM unnest(${ids}::uuid[], ${tokens}::uuid[]) AS k("id", "token") ORDER BY "id") u
  CROSS JOIN LATERAL (
    SELECT "id" FROM "DeliveryBatch" WHERE ${byBatchKey('', 'u')} FOR NO KEY UPDATE
  ) b
)
UPDATE "DeliveryBatch" b SET "leaseUntil" = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
FROM held h WHERE ${byKey('b."id"', 'h."id"')}
RETURNING b."id", b."token"`,
);

/**
 * Extends the leases of held batches. A lease that is over is renewed too, unless the batch was taken over.
 * @returns the tokens of the batches still held, by their ids; the others were taken over
 */
export async function renewLeases(
  client: PoolClient,
  batches: readonly BatchKey[],
  leaseMs: number,
): Promise<Map<string, string>> {
  const { rows } = await client.query<BatchKey>(
    extend({ ids: batches.map(({ id }) => id), tokens: batches.map(({ token }) => token), leaseMs }),
  );
  return new Map(rows.map(({ id, token }) => [id, token]));
}
