import { type Db, Prisma } from '../../base/db/index.ts';

interface LimitedContent {
  id: string;
  projectId: string;
}

/**
 * Marks a content whose emails are filled in by plain replacement from now on.
 *
 * @returns whether it was marked already, and whether it is the first one of its project within a day
 */
export async function markLimited(
  db: Db,
  { id, projectId }: LimitedContent,
): Promise<'known' | 'marked' | 'first of the day'> {
  const marked = await db.$executeRaw(Prisma.sql`
    UPDATE "Content" SET "limitedAt" = now() WHERE "id" = ${id}::uuid AND "limitedAt" IS NULL`);
  if (marked === 0) return 'known';
  const [earlier] = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM "Content" WHERE "projectId" = ${projectId}::uuid AND "limitedAt" > now() - interval '1 day' AND "id" <> ${id}::uuid LIMIT 1`);
  return earlier ? 'marked' : 'first of the day';
}

/** When this many contents of one owner reach a limit within an hour, its new contents are filled in plainly for an hour. */
const strikes = 3;

/**
 * Begins the hour in which new contents of the project's owner are filled in plainly, or extends it, when this was the third within an hour.
 * Call it in the transaction that marks a content.
 *
 * @returns whether it begins
 */
export async function beginPlainSpan(db: Db, projectId: string): Promise<boolean> {
  // One after the other: of two contents at the same time, each would count without the other.
  const [owner] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT u."id" FROM "Member" m JOIN "User" u ON u."id" = m."userId"
    WHERE m."projectId" = ${projectId}::uuid AND m."role" = 'OWNER' FOR NO KEY UPDATE OF u`);
  if (!owner) return false;
  const [span] = await db.$queryRaw<{ begins: boolean }[]>(Prisma.sql`
    INSERT INTO "PlainSpan" AS s ("userId", "since", "until")
    SELECT ${owner.id}::uuid, now(), now() + interval '1 hour'
    WHERE ${strikes}::int <= (SELECT count(*) FROM "Member" m JOIN "Content" c ON c."projectId" = m."projectId"
      WHERE m."userId" = ${owner.id}::uuid AND m."role" = 'OWNER' AND c."limitedAt" > now() - interval '1 hour')
    ON CONFLICT ("userId") DO UPDATE
      SET "since" = CASE WHEN s."until" > now() THEN s."since" ELSE EXCLUDED."since" END, "until" = EXCLUDED."until"
    RETURNING "since" = now()::timestamptz(3) AS "begins"`);
  return span?.begins ?? false;
}
