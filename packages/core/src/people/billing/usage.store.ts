import { type Db, Prisma } from '../../base/db/index.ts';

export interface MonthlyUsage {
  transactional: number;
  campaigns: number;
  workflows: number;
}

const thisMonth = Prisma.sql`date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** The usage of a project in the present calendar month (UTC), by category. */
export async function readUsage(db: Db, projectId: string): Promise<MonthlyUsage> {
  await db.$executeRaw(Prisma.sql`SELECT open_usage(${projectId}::uuid, ${thisMonth})`);
  const rows = await db.$queryRaw<MonthlyUsage[]>(
    Prisma.sql`SELECT * FROM usage_of(${projectId}::uuid, ${thisMonth})`,
  );
  return rows[0] ?? { transactional: 0, campaigns: 0, workflows: 0 };
}

/**
 * Reserves the usage of a campaign that is being sent, until its audience is frozen or it ends before. To be called at the end of a
 * transaction, which keeps the usage of its project locked.
 *
 * @returns false when it would exceed a cap
 */
export async function reserveForCampaign(
  db: Db,
  campaign: { id: string; projectId: string },
  quantity: number,
): Promise<boolean> {
  const { id, projectId } = campaign;
  if (!(await reserve(db, projectId, quantity, false))) return false;
  await db.$executeRaw(Prisma.sql`
    INSERT INTO "UsageReservation" ("campaignId", "projectId", "month", "quantity")
    VALUES (${id}::uuid, ${projectId}::uuid, ${thisMonth}, ${quantity}::int)
    ON CONFLICT ("campaignId") DO UPDATE SET "month" = excluded."month", "quantity" = excluded."quantity"`);
  return true;
}

/**
 * Takes the usage of a frozen audience instead of what was reserved for it. Only an audience that has grown since, or that was not
 * reserved in this month, needs the lock of the usage.
 *
 * @returns false when it would exceed a cap
 */
export async function takeForCampaign(
  db: Db,
  campaign: { id: string; projectId: string },
  quantity: number,
): Promise<boolean> {
  const { id, projectId } = campaign;
  const rows = await db.$queryRaw<{ covers: boolean }[]>(Prisma.sql`
    WITH gone AS (DELETE FROM "UsageReservation" WHERE "campaignId" = ${id}::uuid RETURNING "month", "quantity"),
    taken AS (
      INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
      SELECT uuid7(), ${projectId}::uuid, "month", 'CAMPAIGN', ${quantity}::int FROM gone
      WHERE "month" = ${thisMonth} AND "quantity" >= ${quantity}::int RETURNING true
    )
    SELECT EXISTS (SELECT FROM taken) AS "covers"`);
  return rows[0]?.covers || reserve(db, projectId, quantity, true);
}

/** Whether a number of campaign emails fits into what is left of the month; reserves nothing. */
export const fitsCampaign = (db: Db, projectId: string, quantity: number): Promise<boolean> =>
  reserve(db, projectId, quantity, false);

async function reserve(db: Db, projectId: string, quantity: number, kept: boolean): Promise<boolean> {
  const rows = await db.$queryRaw<{ granted: boolean }[]>(Prisma.sql`
    SELECT "granted" FROM reserve_usage(ARRAY[${projectId}::uuid], '{CAMPAIGN}', ARRAY[${quantity}::int], ${kept})`);
  return rows[0]?.granted ?? false;
}
