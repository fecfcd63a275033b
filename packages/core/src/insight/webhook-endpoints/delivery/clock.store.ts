import type { Services } from '../../../base/kernel/index.ts';
import { leaseMs } from './retry.rules.ts';

const rowsAtOnce = 10_000;

/** Makes waiting deliveries due this many milliseconds earlier, and cuts claims to the length of a lease. @returns how many */
export async function bringDeliveriesForward({ database }: Services, byMs: number): Promise<number> {
  let changed = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await database.pool.query<{ last: string | null; count: number }>(
      `WITH part AS MATERIALIZED (
         SELECT "id" FROM "WebhookDelivery" WHERE "id" > $1::uuid AND "status" = 'PENDING'
           AND ("nextAttemptAt" > clock_timestamp() OR "claimedUntil" > clock_timestamp() + $3::float8 * interval '1 millisecond')
         ORDER BY "id" LIMIT ${rowsAtOnce} FOR UPDATE
       ), moved AS (
         UPDATE "WebhookDelivery" d SET "nextAttemptAt" = d."nextAttemptAt" - $2::float8 * interval '1 millisecond',
           "claimedUntil" = least(d."claimedUntil", clock_timestamp() + $3::float8 * interval '1 millisecond')
         FROM part p WHERE d."id" = ANY(ARRAY[p."id"])
       )
       SELECT (SELECT "id" FROM part ORDER BY "id" DESC LIMIT 1) AS last, (SELECT count(*)::int FROM part) AS count`,
      [after, byMs, leaseMs],
    );
    const [part] = rows;
    changed += part?.count ?? 0;
    if (!part?.last || part.count < rowsAtOnce) return changed;
    after = part.last;
  }
}
