import type { Db } from './client.ts';

/** The time of the current transaction, or else the present one, by the database's clock. */
export async function transactionTime(db: Db): Promise<Date> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3) AS "now"`;
  const [row] = rows;
  if (!row) throw new Error('the database has no time');
  return row.now;
}
