import type { Pool } from 'pg';
import { type Db, Prisma, prepared } from '../../base/db/index.ts';

/** Bytes of the newest messages of a test project that are kept, and for how long (behaviour B15.9). */
export const keptSourceBytes = 200 * 1_048_576;
export const sourceKeptMs = 7 * 86_400_000;

const keep = prepared<{ emailId: string; projectId: string; bytes: Buffer }>(
  'keep-message-source',
  ({ emailId, projectId, bytes }) => Prisma.sql`
INSERT INTO "MessageSource" ("emailId", "projectId", "size", "bytes")
SELECT ${emailId}::uuid, ${projectId}::uuid, octet_length(${bytes}::bytea), ${bytes}::bytea
ON CONFLICT ("emailId") DO UPDATE SET "size" = excluded."size", "bytes" = excluded."bytes", "createdAt" = now()`,
);

/** Keeps the message of an email of a test project; a later attempt replaces it. */
export async function keepSource(
  pool: Pool,
  source: { emailId: string; projectId: string; bytes: Buffer },
): Promise<void> {
  await pool.query(keep(source));
}

/** The message of an email of a test project; null for any other, and one that is older or beyond the newest bytes. */
export async function readSource(db: Db, projectId: string, emailId: string): Promise<Buffer | null> {
  const [row] = await db.$queryRaw<{ bytes: Uint8Array }[]>`
    SELECT s."bytes" FROM "MessageSource" s
    WHERE s."emailId" = ${emailId}::uuid AND s."projectId" = ${projectId}::uuid
      AND s."createdAt" > now() - ${sourceKeptMs}::float8 * interval '1 millisecond'
      AND s."size" + (SELECT coalesce(sum(n."size"), 0) FROM "MessageSource" n
        WHERE n."projectId" = s."projectId" AND (n."createdAt", n."emailId") > (s."createdAt", s."emailId")) <= ${keptSourceBytes}::bigint`;
  return row ? Buffer.from(row.bytes) : null;
}

/** Removes messages that are too old, or beyond the newest bytes of their project. @returns how many, at most `limit` */
export const removeSources = (db: Db, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM "MessageSource" WHERE "emailId" = ANY(ARRAY(
      SELECT "emailId" FROM (
        SELECT s."emailId" FROM "MessageSource" s WHERE s."createdAt" <= ${new Date(now.getTime() - sourceKeptMs)}
        UNION ALL
        SELECT n."emailId" FROM (
          SELECT s."emailId", sum(s."size") OVER (PARTITION BY s."projectId" ORDER BY s."createdAt" DESC, s."emailId" DESC) AS "upTo"
          FROM "MessageSource" s
        ) n WHERE n."upTo" > ${keptSourceBytes}::bigint
      ) old LIMIT ${limit}::int))`;
