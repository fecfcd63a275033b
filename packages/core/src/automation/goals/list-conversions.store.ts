import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';

/** An event that reached a goal, and the email that it is credited to. */
export interface ConversionRow {
  id: string;
  eventId: string;
  contactId: string | null;
  at: Date;
  value: number | null;
  emailId: string | null;
  campaignId: string | null;
  workflowId: string | null;
}

/** One keyset page of the conversions of a goal, newest first. */
export const pageOfConversions = (
  db: Db,
  projectId: string,
  goalId: string,
  { after, take }: { after: Keyset | null; take: number },
): Promise<ConversionRow[]> => {
  const older = after
    ? Prisma.sql`AND (c."at", c."id") < (${after.value}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<ConversionRow[]>`
    SELECT c."id"::text AS "id", c."eventId"::text AS "eventId", c."contactId"::text AS "contactId", c."at", c."value", c."emailId"::text AS "emailId",
      c."campaignId"::text AS "campaignId", c."workflowId"::text AS "workflowId"
    FROM "Conversion" c WHERE c."projectId" = ${projectId}::uuid AND c."goalId" = ${goalId}::uuid ${older}
    ORDER BY c."at" DESC, c."id" DESC LIMIT ${take}::int`;
};

export const countConversionsOf = (db: Db, projectId: string, goalId: string): Promise<number> =>
  db.conversion.count({ where: { projectId, goalId } });
