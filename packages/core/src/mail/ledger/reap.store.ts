import type { ClientBase, PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { answersOf } from './answers.ts';
import { byKey } from './by-key.ts';
import { effectCtes, writtenColumns } from './effects.ts';
import { released } from './release.ts';
import type { Written } from './write.store.ts';

/** The error of emails whose worker was lost after their transfer began. */
export const interruptedText =
  'The worker stopped while the message was being transferred. The mail server may have accepted it';

/** Emails that one statement ends, as many as the writer's; at least one batch. */
const mostEmails = constant(2_000);

export interface Reaped extends Written {
  batches: number;
  givenBack: number;
  uncertain: number;
}

const reapExpired = prepared<{ limit: number; ids: string[] | null; error: string }>(
  'reap-batches',
  ({ limit, ids, error }) => Prisma.sql`
WITH next AS MATERIALIZED (
  SELECT *, NULL::json AS subjects, bit_count("begun") = 0 AND bit_count("answered") = 0 AND NOT "stopped" AS untouched
  FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" < now() AND (${ids}::uuid[] IS NULL OR "id" = ANY(${ids}::uuid[]))
  ORDER BY "leaseUntil" LIMIT ${limit} FOR UPDATE SKIP LOCKED
), expired AS MATERIALIZED (
  SELECT * FROM (
    SELECT n.*, sum(cardinality(n."emailIds")) OVER (ORDER BY n."leaseUntil", n."id") - cardinality(n."emailIds") AS "before_it" FROM next n
  ) n WHERE n."before_it" < ${mostEmails}
), freed AS (
  UPDATE "DeliveryBatch" b SET ${released} FROM expired x WHERE ${byKey('b."id"', 'x."id"')} AND x.untouched
), held AS (
  SELECT * FROM expired WHERE NOT untouched
), ${answersOf({ unanswered: true, error })}, ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" b USING held h WHERE ${byKey('b."id"', 'h."id"')}
)
SELECT ${writtenColumns}, (SELECT count(*)::int FROM expired) AS batches,
  (SELECT count(*)::int FROM change WHERE what = 'waits') +
    (SELECT coalesce(sum(cardinality("emailIds")), 0)::int FROM expired WHERE untouched) AS "givenBack",
  (SELECT count(*)::int FROM change WHERE what = 'uncertain') AS uncertain`,
);

/**
 * Ends at most `limit` batches, with about 2,000 emails, whose lease is over, of any project: recorded answers are written, emails that have begun without an answer
 * become UNCERTAIN, the others wait again (or are skipped when their campaign was cancelled).
 *
 * @param ids only these batches
 */
export async function reapBatches(
  client: ClientBase,
  limit: number,
  ids: readonly string[] | null = null,
): Promise<Reaped> {
  const { rows } = await client.query<Reaped>(
    reapExpired({ limit, ids: ids && [...ids], error: interruptedText }),
  );
  return (
    rows[0] ?? {
      campaigns: [],
      projects: [],
      emails: 0,
      outcomes: [],
      batches: 0,
      givenBack: 0,
      uncertain: 0,
    }
  );
}

/** The batches that `reapBatches` ends next. */
export async function expiredBatches(client: PoolClient, limit: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(expired({ limit }));
  return rows.map(({ id }) => id);
}

const expired = prepared<{ limit: number }>(
  'expired-batches',
  ({ limit }) => Prisma.sql`
SELECT "id" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" < now() ORDER BY "leaseUntil" LIMIT ${limit}`,
);

const postpone = prepared<{ id: string; ms: number }>(
  'postpone-reaping',
  ({ id, ms }) => Prisma.sql`
UPDATE "DeliveryBatch" SET "leaseUntil" = clock_timestamp() + ${ms}::float8 * interval '1 ms'
WHERE "id" = ${id}::uuid AND "token" IS NOT NULL AND "leaseUntil" < now()`,
);

/** Leaves an expired batch as it is for some time, as if its holder had renewed the lease. */
export async function postponeReaping(client: PoolClient, id: string, ms: number): Promise<void> {
  await client.query(postpone({ id, ms }));
}

const endOfHolder = prepared<{ workers: string[] }>(
  'end-leases',
  ({ workers }) => Prisma.sql`
UPDATE "DeliveryBatch" SET "leaseUntil" = clock_timestamp() - interval '1 millisecond' WHERE "id" = ANY(ARRAY(
  SELECT "id" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "worker" = ANY(${workers}::text[]) ORDER BY "id" FOR NO KEY UPDATE))
RETURNING "id"`,
);

/** Ends the leases of holders that are known to be gone. @returns their batches, which `reapBatches` can end now */
export async function endLeases(client: PoolClient, workers: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(endOfHolder({ workers: [...workers] }));
  return rows.map(({ id }) => id);
}
