import { type Db, Prisma } from '../../base/db/index.ts';
import { type KeyedSums, noSums } from './figures.store.ts';
import type { Period } from './period.rules.ts';

/** `failed` are emails that were refused. */
export type DiagnosisSums = KeyedSums & { failed: number };

/**
 * What was refused or reported in a period, by the class of the diagnosis and the time of what was said. Refused emails are few and have an index of
 * their own, so nothing is added up before.
 */
export async function sumDiagnoses(
  db: Db,
  projectId: string,
  { from, to }: Period,
): Promise<DiagnosisSums[]> {
  const rows = await db.$queryRaw<(Omit<DiagnosisSums, 'opens' | 'clicks'> & { key: string })[]>(Prisma.sql`
    SELECT e."diagnosis" ->> 'class' AS "key",
      count(*) FILTER (WHERE e."status" = 'FAILED')::int AS "failed",
      count(e."sentAt")::int AS "sent", count(e."deliveredAt")::int AS "delivered", count(e."openedAt")::int AS "opened",
      count(e."clickedAt")::int AS "clicked", count(e."bouncedAt")::int AS "bounced",
      count(e."bouncedAt") FILTER (WHERE e."sentAt" IS NULL)::int AS "refused",
      count(e."complainedAt")::int AS "complained", count(*) FILTER (WHERE e."unsubscribed")::int AS "unsubscribed"
    FROM "Email" e
    WHERE e."projectId" = ${projectId}::uuid AND e."diagnosis" IS NOT NULL
      AND e."diagnosis" ->> 'at' >= ${from.toISOString()} AND e."diagnosis" ->> 'at' < ${to.toISOString()}
      AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND (e."status" = 'FAILED' OR e."sentAt" IS NOT NULL)
    GROUP BY 1`);
  return rows.map((row) => ({ ...noSums, ...row }));
}
