import { constant, type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { type EmailRow, selectEmail, selectEmailsOf } from './emails.store.ts';

/** What an email belongs to, as its column. */
export type EmailParent = 'contactId' | 'campaignId' | 'templateId' | 'workflowExecutionId';

interface EmailsOfEach {
  projectId: string;
  parent: EmailParent;
  ids: readonly string[];
}

const belongsTo = ({ projectId, parent }: EmailsOfEach): Prisma.Sql =>
  Prisma.sql`e."projectId" = ${projectId}::uuid AND e."sourceType" <> 'SYSTEM' AND e."${constant(parent)}" = p."id"`;

/** One keyset page of the emails of each parent, newest first. */
export function emailsOfEach(
  db: Db,
  search: EmailsOfEach,
  { after, take }: { after: Keyset | null; take: number },
  routeId: string,
): Promise<EmailRow[]> {
  const older = after
    ? Prisma.sql`AND (e."createdAt", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  const page = Prisma.sql`
  SELECT e."id" FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
    SELECT e."id" FROM "Email" e WHERE ${belongsTo(search)} ${older} ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${take}::int
  ) e`;
  return db.$queryRaw<EmailRow[]>(Prisma.sql`
${selectEmailsOf(page, routeId)}
ORDER BY e."createdAt" DESC, e."id" DESC`);
}

export const countEmailsOfEach = (
  db: Db,
  search: EmailsOfEach,
): Promise<{ id: string; count: number }[]> => db.$queryRaw`
  SELECT p."id"::text AS "id", e."count" FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
    SELECT count(*)::int AS "count" FROM "Email" e WHERE ${belongsTo(search)}
  ) e`;

/** Emails by their ids. */
export const findEmails = (
  db: Db,
  projectId: string,
  ids: readonly string[],
  routeId: string,
): Promise<EmailRow[]> =>
  db.$queryRaw<EmailRow[]>(
    Prisma.sql`${selectEmail(routeId)} WHERE e."projectId" = ${projectId}::uuid AND e."id" = ANY(${ids}::uuid[]) AND e."sourceType" <> 'SYSTEM'`,
  );
