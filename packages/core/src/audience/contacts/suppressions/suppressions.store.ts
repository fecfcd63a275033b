import { containsOneOf, type Db, Prisma, type SuppressionReason } from '../../../base/db/index.ts';
import { addressPartsSought, type DiagnosisClass } from '../../../base/kernel/index.ts';

export interface SuppressionRow {
  email: string;
  reason: SuppressionReason;
  emailId: string | null;
  class: DiagnosisClass | null;
  text: string | null;
  expiresAt: Date | null;
  createdAt: Date;
}

export interface SuppressionFilter {
  projectId: string;
  search?: string | undefined;
  reason?: SuppressionReason | undefined;
  class?: DiagnosisClass | undefined;
}

function conditionOf({ projectId, search, reason, class: diagnosed }: SuppressionFilter): Prisma.Sql {
  const conditions = [Prisma.sql`s."projectId" = ${projectId}::uuid`];
  if (search) conditions.push(containsOneOf(Prisma.sql`s."email"`, addressPartsSought(search)));
  if (reason) conditions.push(Prisma.sql`s."reason" = ${reason}::"SuppressionReason"`);
  // By the index of refusals, which are few.
  if (diagnosed)
    conditions.push(Prisma.sql`s."emailId" IN (SELECT d."id" FROM "Email" d
      WHERE d."projectId" = ${projectId}::uuid AND d."diagnosis" IS NOT NULL AND d."diagnosis" ->> 'class' = ${diagnosed})`);
  return Prisma.join(conditions, ' AND ');
}

const entries = Prisma.sql`
SELECT s."email", s."reason", s."emailId", e."diagnosis" ->> 'class' AS "class", e."diagnosis" ->> 'text' AS "text", s."expiresAt", s."createdAt"
FROM "Suppression" s LEFT JOIN "Email" e ON e."id" = s."emailId" AND e."projectId" = s."projectId"`;

export async function findSuppression(
  db: Db,
  projectId: string,
  email: string,
): Promise<SuppressionRow | null> {
  const [row] = await db.$queryRaw<SuppressionRow[]>`
    ${entries} WHERE s."projectId" = ${projectId}::uuid AND s."email" = ${email}`;
  return row ?? null;
}

/** One keyset page, newest first; ties are broken by the address. */
export const findSuppressions = (
  db: Db,
  filter: SuppressionFilter,
  after: { createdAt: Date; email: string } | null,
  limit: number,
): Promise<SuppressionRow[]> =>
  db.$queryRaw<SuppressionRow[]>(Prisma.sql`
${entries}
WHERE ${conditionOf(filter)} ${
    after
      ? Prisma.sql`AND (s."createdAt" < ${after.createdAt} OR (s."createdAt" = ${after.createdAt} AND s."email" > ${after.email}))`
      : Prisma.empty
  }
ORDER BY s."createdAt" DESC, s."email" LIMIT ${limit}`);

export async function countSuppressions(db: Db, filter: SuppressionFilter): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "Suppression" s WHERE ${conditionOf(filter)}`,
  );
  return rows[0]?.count ?? 0;
}

/** The end of an INSERT INTO "Suppression" AS s: an address on the list keeps its first entry, which loses its end if the new one has none. */
export const firstEntryStays = Prisma.sql`ON CONFLICT ("projectId", "email") DO UPDATE SET "expiresAt" = NULL
  WHERE s."expiresAt" IS NOT NULL AND excluded."expiresAt" IS NULL`;

/**
 * Addresses on the list keep their first entry, without its end. The order of the insertion prevents deadlocks between concurrent calls.
 *
 * @returns the number of addresses added
 */
export async function insertSuppressions(
  db: Db,
  projectId: string,
  emails: readonly string[],
  reason: SuppressionReason,
): Promise<number> {
  const rows = await db.$queryRaw<{ isNew: boolean }[]>`
INSERT INTO "Suppression" AS s ("projectId", "email", "reason")
SELECT ${projectId}::uuid, "email", ${reason}::"SuppressionReason" FROM unnest(${emails}::text[]) AS "given"("email")
ORDER BY "email" ${firstEntryStays}
RETURNING s."xmax" = 0 AS "isNew"`;
  return rows.filter(({ isNew }) => isNew).length;
}

/** @returns those of the addresses that were on the list; in their order, so that concurrent calls cannot wait for each other */
export async function removeSuppressionsOf(
  db: Db,
  projectId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ email: string }[]>`
WITH "locked" AS MATERIALIZED (
  SELECT "email" FROM "Suppression" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${emails}::text[]) ORDER BY "email" FOR UPDATE
)
DELETE FROM "Suppression" s USING "locked" l WHERE s."projectId" = ${projectId}::uuid AND s."email" = l."email" RETURNING s."email"`;
  return rows.map(({ email }) => email);
}

/**
 * Removes entries that have ended, at most `limit` (behaviour B3.2). One that was made lasting in the meantime is kept.
 *
 * @returns how many
 */
export const endSuppressions = (db: Db, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
WITH "due" AS MATERIALIZED (
  SELECT "projectId", "email" FROM "Suppression" WHERE "expiresAt" <= ${now}
  ORDER BY "projectId", "email" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
)
DELETE FROM "Suppression" s USING "due" d WHERE s."projectId" = d."projectId" AND s."email" = d."email"`;

/** @returns whether the address was on the list */
export async function removeSuppression(db: Db, projectId: string, email: string): Promise<boolean> {
  return (await db.suppression.deleteMany({ where: { projectId, email } })).count > 0;
}
