import { constant, Prisma, prepared } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { leaseMs } from './retry.rules.ts';

const rowsAtOnce = 10_000;

const bringForward = prepared<{ after: string; byMs: number }>(
  'bring-deliveries-forward',
  ({ after, byMs }) => Prisma.sql`
    WITH part AS MATERIALIZED (
      SELECT "id" FROM "WebhookDelivery" WHERE "id" > ${after}::uuid AND "status" = 'PENDING'
        AND ("nextAttemptAt" > clock_timestamp() OR "claimedUntil" > clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
      ORDER BY "id" LIMIT ${constant(rowsAtOnce)} FOR UPDATE
    ), moved AS (
      UPDATE "WebhookDelivery" d SET "nextAttemptAt" = d."nextAttemptAt" - ${byMs}::float8 * interval '1 millisecond',
        "claimedUntil" = least(d."claimedUntil", clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
      FROM part p WHERE d."id" = ANY(ARRAY[p."id"])
    )
    SELECT (SELECT "id" FROM part ORDER BY "id" DESC LIMIT 1) AS last, (SELECT count(*)::int FROM part) AS count`,
);

/** Makes waiting deliveries due this many milliseconds earlier, and cuts claims to the length of a lease. @returns how many */
export async function bringDeliveriesForward({ database }: Services, byMs: number): Promise<number> {
  let changed = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await database.durable.query<{ last: string | null; count: number }>(
      bringForward({ after, byMs }),
    );
    const [part] = rows;
    changed += part?.count ?? 0;
    if (!part?.last || part.count < rowsAtOnce) return changed;
    after = part.last;
  }
}
