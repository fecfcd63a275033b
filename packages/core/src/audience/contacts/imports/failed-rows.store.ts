import type { Db } from '../../../base/db/index.ts';

/** Bytes of the failed rows of an import that are kept: they repeat the columns of the header for each row. */
const mostBytes = 20 * 1_048_576;

/** Stores nothing once `mostBytes` are reached. @param n the rows of the file that have been read with this part */
export const insertFailedRows = async (db: Db, jobId: string, n: number, bytes: Buffer): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO "ImportFailedRows" ("jobId", "n", "bytes", "projectId")
    SELECT "id", ${n}::int, ${bytes}::bytea, "projectId" FROM "Job" WHERE "id" = ${jobId}::uuid AND coalesce((SELECT sum(octet_length("bytes")) FROM "ImportFailedRows" WHERE "jobId" = ${jobId}::uuid), 0) < ${mostBytes}::int`;
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
