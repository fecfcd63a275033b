import type { Db } from './client.ts';

/** The time of the current transaction, or else the present one, by the database's clock. */
export async function transactionTime(db: Db): Promise<Date> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3) AS "now"`;
  const [row] = rows;
  if (!row) throw new Error('the database has no time');
  return row.now;
}

/** The present time by the database's clock, in whole milliseconds: also within a transaction, which may have waited since it began. */
export async function presentTime(db: Db): Promise<Date> {
  const rows = await db.$queryRaw<
    { now: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS "now"`;
  const [row] = rows;
  if (!row) throw new Error('the database has no time');
  return row.now;
}
