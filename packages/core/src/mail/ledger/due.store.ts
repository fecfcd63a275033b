import type { PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { claimedPriorities, firstBulkPriority } from './ledger.rules.ts';

export interface DueProject {
  projectId: string;
  /** transactional, test, workflow or platform email is due */
  direct: boolean;
  /** email of campaigns is due */
  bulk: boolean;
}

export interface Due {
  /** longest due first */
  projects: DueProject[];
  /** time until the next batch becomes due that is not due yet; null when none waits */
  nextInMs: number | null;
  /** more entries of the index were read than can wait: an old snapshot keeps those of batches that are gone, see `skipGone` */
  readsGone: boolean;
}

const lastLevel = Math.max(...claimedPriorities.direct, ...claimedPriorities.bulk);
const levels = constant(`'{${[...claimedPriorities.direct, ...claimedPriorities.bulk].join()}}'::int[]`);

/** Reading this many entries of batches that are gone takes a few milliseconds: nothing is done about fewer. */
const fewGone = 5_000;

/** What this connection has read of the index since it last reported its statistics: only the difference within one statement has a meaning. */
const entriesRead = Prisma.sql`coalesce(pg_stat_get_xact_tuples_returned(to_regclass('"DeliveryBatch_waiting"')), 0)`;

/**
 * Whether a bucket says where claims begin. A time more than a minute ahead was written before the clock was set back. claim-batches.sql has the
 * same condition, and the places in the same order.
 */
const hasPlaces = Prisma.sql`"claimFromUntil" > now() AND "claimFromUntil" <= now() + interval '61 seconds'`;

const due = prepared<{ limit: number }>(
  'due-projects',
  ({ limit }) => Prisma.sql`
WITH RECURSIVE counted AS MATERIALIZED (SELECT ${entriesRead} AS n), bucket AS MATERIALIZED (
  SELECT "projectId", "claimFrom" FROM "SendBucket" WHERE ${hasPlaces}
), project AS (
  -- What this connection has read before is counted first.
  SELECT '00000000-0000-0000-0000-000000000000'::uuid AS "projectId" FROM counted WHERE n >= 0
  UNION ALL
  -- A project with places is taken without a look whether anything of it waits: that would walk what is gone.
  SELECT coalesce(
    (SELECT b."projectId" FROM "DeliveryBatch" b WHERE b."token" IS NULL AND NOT b."held" AND b."projectId" > p."projectId"
      AND b."projectId" < coalesce(k."projectId", 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY b."projectId" LIMIT 1),
    k."projectId")
  FROM project p LEFT JOIN LATERAL (
    SELECT k."projectId" FROM bucket k WHERE k."projectId" > p."projectId" ORDER BY k."projectId" LIMIT 1
  ) k ON true
  WHERE p."projectId" IS NOT NULL
), head AS MATERIALIZED (
  SELECT p."projectId", level.n AS priority, turn.again, h."nextAttemptAt" AS at
  FROM project p LEFT JOIN bucket k ON k."projectId" = p."projectId"
  CROSS JOIN unnest(${levels}) AS level(n) CROSS JOIN unnest('{false,true}'::boolean[]) AS turn(again)
  CROSS JOIN LATERAL (
    SELECT b."nextAttemptAt" FROM "DeliveryBatch" b
    WHERE b."projectId" = p."projectId" AND b."priority" = level.n AND b."again" = turn.again AND b."token" IS NULL AND NOT b."held"
      AND b."nextAttemptAt" >= coalesce(k."claimFrom"[level.n * 2 + turn.again::int + 1], '-infinity')
    ORDER BY b."nextAttemptAt" LIMIT 1
  ) h
  WHERE p."projectId" IS NOT NULL
), next AS (
  -- What is due hides what becomes due after it.
  SELECT CASE WHEN h.at > now() + interval '1 millisecond' THEN h.at ELSE (
    SELECT b."nextAttemptAt" FROM "DeliveryBatch" b
    WHERE b."projectId" = h."projectId" AND b."priority" = h.priority AND b."again" = h.again AND b."token" IS NULL AND NOT b."held"
      AND b."nextAttemptAt" > now() + interval '1 millisecond'
    ORDER BY b."nextAttemptAt" LIMIT 1) END AS at
  FROM head h
), first AS (
  SELECT "projectId", bool_or(priority < ${constant(firstBulkPriority)}) AS direct, bool_or(priority >= ${constant(firstBulkPriority)}) AS bulk
  FROM head WHERE at <= now() + interval '1 millisecond' GROUP BY "projectId" ORDER BY min(at) LIMIT ${limit}
)
SELECT
  (SELECT coalesce(json_agg(first), '[]') FROM first) AS projects,
  (SELECT extract(epoch FROM min(at) - clock_timestamp())::float8 * 1000 FROM next) AS "nextInMs",
  -- After the columns before it.
  ${entriesRead} > (SELECT n FROM counted) + ${constant(fewGone)} + 30 * (SELECT count(*) FROM project) AS "readsGone"`,
);

/** At most `limit` projects with due batches. Skips through the index from project to project, whatever their backlog. */
export async function dueProjects(client: PoolClient, limit: number): Promise<Due> {
  const { rows } = await client.query<Due>(due({ limit }));
  return rows[0] ?? { projects: [], nextInMs: null, readsGone: false };
}

const skip = prepared<Record<string, never>>(
  'skip-gone',
  () => Prisma.sql`
UPDATE "SendBucket" s SET "claimFrom" = n.places,
  "claimFromUntil" = CASE WHEN n.known THEN s."claimFromUntil" ELSE clock_timestamp() + interval '10 seconds' END
FROM (
  SELECT k."projectId", k.known, (
    SELECT array_agg(least(now(), (
      SELECT b."nextAttemptAt" FROM "DeliveryBatch" b
      WHERE b."projectId" = k."projectId" AND b."priority" = level.n AND b."again" = turn.again AND b."token" IS NULL AND NOT b."held"
        AND b."nextAttemptAt" >= CASE WHEN k.known THEN coalesce(k."claimFrom"[level.n * 2 + turn.again::int + 1], '-infinity') ELSE '-infinity' END
      ORDER BY b."nextAttemptAt" LIMIT 1
    )) - interval '5 seconds' ORDER BY level.n, turn.again)
    FROM generate_series(0, ${constant(lastLevel)}) AS level(n) CROSS JOIN unnest('{false,true}'::boolean[]) AS turn(again)
  ) AS places
  FROM (
    SELECT "projectId", "claimFrom", coalesce(${hasPlaces}, false) AS known
    FROM "SendBucket" ORDER BY "updatedAt" DESC LIMIT 1000 FOR UPDATE SKIP LOCKED
  ) k
) n WHERE s."projectId" = n."projectId"`,
);

/**
 * For the next ten seconds claims of the 1,000 projects that claimed last, and `dueProjects`, begin five seconds before what waits now. While an old snapshot is held, such as
 * by a dump, the index keeps the entries of all batches that were claimed meanwhile, and each claim would walk them from the beginning.
 * Called again, it goes on from there. Afterwards claims begin at the beginning again: what became due behind a place, such as that of
 * a resumed campaign, waits until then. The five seconds are for what was written with its time and committed later.
 */
export async function skipGone(client: PoolClient): Promise<void> {
  await client.query(skip({}));
}

const waitingTests = prepared<Record<string, never>>(
  'waiting-tests',
  () => Prisma.sql`
SELECT p."id" FROM "Project" p WHERE p."environment" = 'TEST' AND EXISTS (
  SELECT FROM "DeliveryBatch" b WHERE b."projectId" = p."id" AND b."token" IS NULL AND NOT b."held" AND b."nextAttemptAt" <= now()) LIMIT 1000`,
);

/** Test projects with due email. */
export async function findWaitingTests(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(waitingTests({}));
  return rows.map(({ id }) => id);
}
