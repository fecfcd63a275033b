import type { Db } from '../../base/db/index.ts';

interface Found {
  count: number;
  /** ids of the first of them */
  examples: string[];
}

const first = 3;

/** Emails that wait and are in no batch, or whose batch does not have them: nothing would ever send them. */
export async function findStrandedEmails(db: Db): Promise<Found> {
  const [row] = await db.$queryRaw<Found[]>`
    SELECT count(*)::int AS "count", coalesce((array_agg(e."id"::text ORDER BY e."id"))[1:${first}::int], '{}') AS "examples" FROM "Email" e
    LEFT JOIN "DeliveryBatch" b ON b."id" = e."batchId"
    WHERE (e."status" = 'PENDING' AND e."batchId" IS NULL) OR (e."batchId" IS NOT NULL AND coalesce(NOT e."id" = ANY(b."emailIds"), true))`;
  return row ?? { count: 0, examples: [] };
}

/** Emails that the server accepted, without the time. */
export async function findUndatedEmails(db: Db): Promise<Found> {
  const [row] = await db.$queryRaw<Found[]>`
    SELECT count(*)::int AS "count", coalesce((array_agg(e."id"::text ORDER BY e."id"))[1:${first}::int], '{}') AS "examples" FROM "Email" e
    WHERE e."status" IN ('SENT', 'DELIVERED', 'OPENED', 'CLICKED') AND e."sentAt" IS NULL`;
  return row ?? { count: 0, examples: [] };
}

/** A page of campaigns of any project, by id. */
export async function campaignsAfter(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.campaign.findMany({
    where: { status: { not: 'DRAFT' }, ...(after !== null && { id: { gt: after } }) },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
