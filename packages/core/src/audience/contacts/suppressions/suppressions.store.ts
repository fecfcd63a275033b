import { containsOneOf, type Db, Prisma, type SuppressionReason } from '../../../base/db/index.ts';
import { addressPartsSought } from '../../../base/kernel/index.ts';

export interface SuppressionRow {
  email: string;
  reason: SuppressionReason;
  emailId: string | null;
  createdAt: Date;
}

export interface SuppressionFilter {
  projectId: string;
  search?: string | undefined;
  reason?: SuppressionReason | undefined;
}

function conditionOf({ projectId, search, reason }: SuppressionFilter): Prisma.Sql {
  const conditions = [Prisma.sql`"projectId" = ${projectId}::uuid`];
  if (search) conditions.push(containsOneOf(Prisma.sql`"email"`, addressPartsSought(search)));
  if (reason) conditions.push(Prisma.sql`"reason" = ${reason}::"SuppressionReason"`);
  return Prisma.join(conditions, ' AND ');
}

/** One keyset page, newest first; ties are broken by the address. */
export const findSuppressions = (
  db: Db,
  filter: SuppressionFilter,
  after: { createdAt: Date; email: string } | null,
  limit: number,
): Promise<SuppressionRow[]> =>
  db.$queryRaw<SuppressionRow[]>(Prisma.sql`
SELECT "email", "reason", "emailId", "createdAt" FROM "Suppression"
WHERE ${conditionOf(filter)} ${
    after
      ? Prisma.sql`AND ("createdAt" < ${after.createdAt} OR ("createdAt" = ${after.createdAt} AND "email" > ${after.email}))`
      : Prisma.empty
  }
ORDER BY "createdAt" DESC, "email" LIMIT ${limit}`);

export async function countSuppressions(db: Db, filter: SuppressionFilter): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "Suppression" WHERE ${conditionOf(filter)}`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Addresses on the list keep their first entry. The order of the insertion prevents deadlocks between concurrent calls.
 *
 * @returns the number of addresses added
 */
export const insertSuppressions = (
  db: Db,
  projectId: string,
  emails: readonly string[],
  reason: SuppressionReason,
): Promise<number> =>
  db.$executeRaw`
INSERT INTO "Suppression" ("projectId", "email", "reason")
SELECT ${projectId}::uuid, "email", ${reason}::"SuppressionReason" FROM unnest(${emails}::text[]) AS "given"("email")
ORDER BY "email" ON CONFLICT ("projectId", "email") DO NOTHING`;

/** @returns whether the address was on the list */
export async function removeSuppression(db: Db, projectId: string, email: string): Promise<boolean> {
  return (await db.suppression.deleteMany({ where: { projectId, email } })).count > 0;
}
