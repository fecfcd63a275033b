import { type Database, Prisma, prepared } from '../../base/db/index.ts';

export interface OwnerRow {
  projectId: string;
  /** null for a project of the platform, which has no members */
  ownerId: string | null;
  isProven: boolean;
  /** the span in which new contents are filled in plainly; null without one */
  plainSince: Date | null;
  plainUntil: Date | null;
}

const owners = prepared<{ ids: string[] }>(
  'owners',
  ({ ids }) => Prisma.sql`
    SELECT p."id" AS "projectId", u."id" AS "ownerId", coalesce(u."emailVerified", p."kind" <> 'CUSTOMER') AS "isProven",
      s."since" AS "plainSince", s."until" AS "plainUntil"
    FROM "Project" p
    LEFT JOIN "Member" m ON m."projectId" = p."id" AND m."role" = 'OWNER'
    LEFT JOIN "User" u ON u."id" = m."userId"
    LEFT JOIN "PlainSpan" s ON s."userId" = m."userId"
    WHERE p."id" = ANY(${ids}::uuid[])`,
);

/** The owners of these projects; none for a project that does not exist. */
export async function findOwners(
  { durable }: Pick<Database, 'durable'>,
  ids: readonly string[],
): Promise<OwnerRow[]> {
  const { rows } = await durable.query<OwnerRow>(owners({ ids: [...ids] }));
  return rows;
}
