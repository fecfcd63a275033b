import type { Db } from '../../base/db/index.ts';
import type { Run } from './buckets.rules.ts';

interface GrowthSums {
  run: number;
  created: number;
  removed: number;
}

/**
 * Contacts created and removed in each run of quarters of an hour, by the position of the run; -1 is all time before the first one.
 *
 * @param end where the last run ends
 */
export function countGrowth(
  db: Db,
  projectId: string,
  runs: readonly Run[],
  end: Date,
): Promise<GrowthSums[]> {
  const starts = runs.map(({ start }) => start.toISOString());
  return db.$queryRaw<GrowthSums[]>`
    SELECT width_bucket("at", ${starts}::timestamptz[]) - 1 AS "run", sum("created")::int AS "created", sum("removed")::int AS "removed"
    FROM "ContactCount" WHERE "projectId" = ${projectId}::uuid AND "at" < ${end}::timestamptz
    GROUP BY 1`;
}

/** Contacts that were unsubscribed or subscribed again in each run, for any reason. */
export function countSubscriptionChanges(
  db: Db,
  projectId: string,
  runs: readonly Run[],
  end: Date,
): Promise<{ run: number; name: 'contact.unsubscribed' | 'contact.subscribed'; count: number }[]> {
  const starts = runs.map(({ start }) => start.toISOString());
  return db.$queryRaw<{ run: number; name: 'contact.unsubscribed' | 'contact.subscribed'; count: number }[]>`
    SELECT width_bucket("createdAt", ${starts}::timestamptz[]) - 1 AS "run", "name", count(*)::int AS "count"
    FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "name" IN ('contact.unsubscribed', 'contact.subscribed')
      AND "createdAt" >= ${starts[0]}::timestamptz AND "createdAt" < ${end}::timestamptz
    GROUP BY 1, 2`;
}
