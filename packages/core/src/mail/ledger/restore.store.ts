import type { ClientBase } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import { byKey } from './by-key.ts';
import { effectCtes, emailColumns, writtenColumns } from './effects.ts';
import { reapBatches } from './reap.store.ts';

/** Batches whose emails one statement ends: as many as the reaper's. */
const batchesAtOnce = 20;

/** What waits in a restored database may have left since its data was saved, up to `lostUntil`. */
export interface LostSpan {
  lostUntil: Date;
  /** of emails that may have left */
  error: string;
}

/**
 * Ends what processes held when the data was saved, as the reaper does: none of them has it any more.
 *
 * @returns how many emails became UNCERTAIN, because they had begun without an answer
 */
export async function endHeld(client: ClientBase): Promise<number> {
  await client.query(
    `UPDATE "DeliveryBatch" SET "leaseUntil" = to_timestamp(0) WHERE "token" IS NOT NULL AND "leaseUntil" > to_timestamp(0)`,
  );
  let uncertain = 0;
  for (;;) {
    const reaped = await reapBatches(client, batchesAtOnce);
    if (reaped.batches === 0) return uncertain;
    uncertain += reaped.uncertain;
  }
}

/**
 * Emails that are held, or due until then, are not sent again by themselves: their one automatic attempt (behaviour B3.3) may have been made.
 * To be called before they end.
 */
export async function withdrawResends(client: ClientBase, lostUntil: Date): Promise<void> {
  await client.query(
    `UPDATE "Email" e SET "autoResent" = true FROM (
       SELECT b."id" AS "batchId", unnest(b."emailIds") AS "id" FROM "DeliveryBatch" b
       WHERE b."campaignId" IS NULL AND (b."token" IS NOT NULL OR b."nextAttemptAt" <= $1)
     ) due WHERE e."id" = ANY(ARRAY[due."id"]) AND e."batchId" = due."batchId" AND e."type" = 'TRANSACTIONAL' AND NOT e."autoResent"`,
    [lostUntil],
  );
}

/** The answers of processes from before the restore find no email any more. */
export async function forgetFences(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE "Email" SET "fence" = NULL WHERE "fence" IS NOT NULL AND ("status" = 'UNCERTAIN' OR "batchId" IS NOT NULL)`,
  );
}

interface Ended {
  last: string | null;
  batches: number;
  uncertain: number;
  skipped: number;
}

const endSome = prepared<{ after: string; lostUntil: Date; outcome: string; error: string | null }>(
  'end-restored',
  ({ after, lostUntil, outcome, error }) => Prisma.sql`
WITH waiting AS MATERIALIZED (
  SELECT * FROM "DeliveryBatch" WHERE "id" > ${after}::uuid AND "token" IS NULL AND "nextAttemptAt" <= ${lostUntil}::timestamptz
  ORDER BY "id" LIMIT ${batchesAtOnce}::int
), email AS MATERIALIZED (
  SELECT w."id" AS "batchId", u.n, u."id" AS "emailId", w."projectId", w."campaignId", w."domainId", w."priority", w."again", w."nextAttemptAt", w."firstAnsweredAt"
  FROM waiting w CROSS JOIN LATERAL unnest(w."emailIds") WITH ORDINALITY AS u("id", n) ORDER BY u."id"
), found AS MATERIALIZED (
  SELECT m."batchId" AS "groupId", m.n, NULL AS subject, m."projectId", m."campaignId", m."domainId", m."priority", m."again" AS retried,
    m."nextAttemptAt", m."firstAnsweredAt", false AS "stopped", NULL::uuid AS "token", clock_timestamp()::timestamptz(3) AS at, false AS late,
    ${outcome}::text AS outcome, ${error}::text AS error, 'cancelled' AS reason, false AS "hardBounce", NULL::jsonb AS diagnosis,
    NULL::float8 AS "waitMs", NULL AS "heldBy", NULL::float8 AS until, NULL::timestamptz(3) AS "heldSince", NULL AS "providerId", e.*
  FROM email m CROSS JOIN LATERAL (SELECT ${emailColumns} FROM "Email" WHERE "id" = m."emailId" AND "batchId" = m."batchId" FOR UPDATE) e
), ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" b USING waiting w WHERE ${byKey('b."id"', 'w."id"')}
)
SELECT ${writtenColumns}, (SELECT "id" FROM waiting ORDER BY "id" DESC LIMIT 1) AS last, (SELECT count(*)::int FROM waiting) AS batches,
  (SELECT count(*)::int FROM change WHERE after = 'UNCERTAIN') AS uncertain, (SELECT count(*)::int FROM change WHERE what = 'skipped') AS skipped`,
);

const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Ends the emails that no process held and that were due in the span: UNCERTAIN with the error of the span, or SKIPPED `cancelled`, but for
 * those that an earlier attempt may have delivered.
 */
export async function endDue(
  client: ClientBase,
  { lostUntil, error }: LostSpan,
  outcome: 'uncertain' | 'skipped',
): Promise<{ uncertain: number; skipped: number }> {
  const sum = { uncertain: 0, skipped: 0 };
  for (let after = noId; ; ) {
    const values = { after, lostUntil, outcome, error: outcome === 'uncertain' ? error : null };
    const { rows } = await client.query<Ended>(endSome(values));
    const [ended] = rows;
    if (!ended?.last) return sum;
    sum.uncertain += ended.uncertain;
    sum.skipped += ended.skipped;
    after = ended.last;
  }
}

/** Emails that wait. */
export async function countWaiting(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT coalesce(sum(cardinality("emailIds")), 0)::int AS "count" FROM "DeliveryBatch"`,
  );
  return rows[0]?.count ?? 0;
}
