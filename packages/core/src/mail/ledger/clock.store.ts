import type { Services } from '../../base/kernel/index.ts';

const rowsAtOnce = 10_000;

/**
 * Email that waits, due so many milliseconds earlier; none before the time that was given for it, which is one of the corrected clock.
 *
 * @param leaseMs A lease that lasts much longer is one of before the step. Its process renews it, or is gone: then its email would be held for
 * as long as the step.
 * @returns how many batches
 */
export async function bringMailForward(
  { database }: Services,
  byMs: number,
  leaseMs: number,
): Promise<number> {
  let changed = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await database.durable.query<{ last: string | null; count: number }>(
      `WITH part AS MATERIALIZED (
         SELECT "id" FROM "DeliveryBatch" WHERE "id" > $1::uuid AND "token" IS NULL AND "nextAttemptAt" > clock_timestamp()
         ORDER BY "id" LIMIT ${rowsAtOnce} FOR UPDATE
       ), moved AS (
         UPDATE "DeliveryBatch" b SET "nextAttemptAt" = least(b."nextAttemptAt", greatest(b."nextAttemptAt" - $2::float8 * interval '1 millisecond',
           (SELECT e."scheduledAt" FROM "Email" e WHERE e."id" = b."emailIds"[1])))
         FROM part p WHERE b."id" = ANY(ARRAY[p."id"])
       )
       SELECT (SELECT "id" FROM part ORDER BY "id" DESC LIMIT 1) AS last, (SELECT count(*)::int FROM part) AS count`,
      [after, byMs],
    );
    const [part] = rows;
    changed += part?.count ?? 0;
    if (!part?.last || part.count < rowsAtOnce) break;
    after = part.last;
  }
  const { rowCount } = await database.durable.query(
    `UPDATE "DeliveryBatch" SET "leaseUntil" = clock_timestamp() + $1::float8 * interval '1 millisecond'
     WHERE "token" IS NOT NULL AND "leaseUntil" > clock_timestamp() + $2::float8 * interval '1 millisecond'`,
    [leaseMs, 2 * leaseMs],
  );
  return changed + (rowCount ?? 0);
}
