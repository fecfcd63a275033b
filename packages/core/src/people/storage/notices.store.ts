import { type Database, type Db, type MailLanguage, Prisma, prepared } from '../../base/db/index.ts';
import type { Addressee } from '../../base/kernel/ports/platform-mailer.ts';

/** An owner whose use has reached another part of the limit than the last one that the owner was notified of. */
export interface Crossing {
  userId: string;
  to: Addressee;
  /** in bytes */
  used: number;
  /** the one of the owner's projects that stores most */
  projectId: string;
  /** the part, in percent, as stored before this crossing; 0 for less than the first part */
  before: number;
  next: number;
  /** what there is to tell; null when use has only fallen */
  percent: 80 | 100 | null;
}

interface CrossingRow extends Omit<Crossing, 'to'> {
  email: string;
  language: MailLanguage;
}

const crossings = prepared<{ limitBytes: number }>(
  'storage-crossings',
  ({ limitBytes }) => Prisma.sql`
WITH stored AS MATERIALIZED (
  SELECT s."projectId", sum(s."bytes")::float8 AS "bytes" FROM (
    SELECT "projectId", "bytes" FROM "StorageUsage" UNION ALL SELECT "projectId", "bytes" FROM "StorageEntry") s GROUP BY 1
), owned AS MATERIALIZED (
  SELECT m."userId", sum(s."bytes") AS "used", (array_agg(s."projectId" ORDER BY s."bytes" DESC, s."projectId"))[1] AS "projectId"
  FROM stored s JOIN "Member" m ON m."projectId" = s."projectId" AND m."role" = 'OWNER' GROUP BY 1
), measured AS MATERIALIZED (
  SELECT "userId", o."projectId", coalesce(o."used", 0) AS "used", coalesce(n."level", 0) AS "before",
    100 * coalesce(o."used", 0) / ${limitBytes}::float8 AS "percent"
  FROM owned o FULL JOIN "StorageNotice" n USING ("userId")
), judged AS MATERIALIZED (
  SELECT m.*, CASE WHEN m."percent" >= 100 THEN 100 WHEN m."percent" >= 80 THEN 80 ELSE 0 END AS "reached",
    least(m."before", CASE WHEN m."percent" >= 90 THEN 100 WHEN m."percent" >= 70 THEN 80 ELSE 0 END) AS "kept"
  FROM measured m
)
SELECT j."userId", u."email", u."language"::text AS "language", j."used", j."projectId", j."before",
  greatest(j."reached", j."kept") AS "next", CASE WHEN j."reached" > j."kept" THEN j."reached" END AS "percent"
FROM judged j JOIN "User" u ON u."id" = j."userId" AND u."emailVerified"
WHERE greatest(j."reached", j."kept") <> j."before" ORDER BY j."userId"`,
);

/**
 * Finds proven owners whose told part changes. A part that was told holds until use is 10 points below it, so that an owner whose use
 * stays near it is told once. Every row of the usage is read, rather than those of the entries just added: the limit, an owner and the
 * proof of an address change without entries.
 */
export async function findCrossings(
  { durable }: Pick<Database, 'durable'>,
  limitBytes: number,
): Promise<Crossing[]> {
  const { rows } = await durable.query<CrossingRow>(crossings({ limitBytes }));
  return rows.map(({ email, language, ...crossing }) => ({ ...crossing, to: { email, language } }));
}

/** Notes a crossing, if no other process has: only the one that does writes the email. */
export async function claimNotice(
  db: Db,
  { userId, before, next }: Pick<Crossing, 'userId' | 'before' | 'next'>,
): Promise<boolean> {
  const claimed = await db.$executeRaw(Prisma.sql`
    INSERT INTO "StorageNotice" AS n ("userId", "level") VALUES (${userId}::uuid, ${next}::smallint)
    ON CONFLICT ("userId") DO UPDATE SET "level" = EXCLUDED."level" WHERE n."level" = ${before}::smallint`);
  return claimed > 0;
}
