import type { Db } from '../../db/index.ts';

/** @param n the rows of the file that have been read with this part */
export const insertFailedRows = async (db: Db, jobId: string, n: number, bytes: Buffer): Promise<void> => {
  await db.$executeRaw`INSERT INTO "ImportFailedRows" ("jobId", "n", "bytes") VALUES (${jobId}::uuid, ${n}::int, ${bytes}::bytea)`;
};

/** The part after another one; from the start of the file with 0. */
export async function nextFailedRows(
  db: Db,
  jobId: string,
  after: number,
): Promise<{ n: number; bytes: Buffer } | null> {
  const row = await db.importFailedRows.findFirst({
    where: { jobId, n: { gt: after } },
    orderBy: { n: 'asc' },
    select: { n: true, bytes: true },
  });
  return row && { n: row.n, bytes: Buffer.from(row.bytes) };
}
