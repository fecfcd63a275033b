import { type Db, type EmailClass, Prisma } from '../../db/index.ts';
import { isOutsideSandbox } from './sandbox.ts';

/** Who gets a campaign. */
export interface Audience {
  projectId: string;
  type: EmailClass;
  /** condition over `"Contact" c`; all contacts when absent */
  condition?: Prisma.Sql;
}

const allContacts = Prisma.sql`true`;

/**
 * Undeliverable addresses: not exactly one `@` with a dotted host after it, or white space. Such addresses come from
 * old imports. Not a regular expression, because a million matches would take a large part of a freeze.
 */
export const isInvalid = Prisma.sql`(c."email" NOT LIKE '%_@_%._%' OR c."email" LIKE '%@%@%'
  OR c."email" <> translate(c."email", E' \\t\\n\\r\\f\\v', ''))`;

export const isSuppressed = (projectId: string): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid AND s."email" = c."email")`;

/**
 * Contacts of an audience: those that match and may get email of this type. Suppressed and invalid addresses are
 * included and get a SKIPPED email.
 */
export const audienceSql = ({
  projectId,
  type,
  sentAt,
  condition = allContacts,
}: Audience & { sentAt: Date }): Prisma.Sql => Prisma.sql`
  "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" <= ${sentAt}
    AND (${type}::"EmailClass" = 'TRANSACTIONAL' OR c."subscribed") AND ${condition}`;

/** The number of emails that freezing would write now. */
export async function countAudience(db: Db, audience: Audience): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM ${audienceSql({ ...audience, sentAt: new Date() })}`,
  );
  return rows[0]?.count ?? 0;
}

/** Whether at least one contact would be sent an email. */
export async function anyoneToSendTo(db: Db, audience: Audience): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (
      SELECT FROM (SELECT c."email" FROM ${audienceSql({ ...audience, sentAt: new Date() })}) c
      WHERE NOT ${isSuppressed(audience.projectId)} AND NOT (${isInvalid})
    ) AS found`);
  return rows[0]?.found ?? false;
}

export interface AudienceBreakdown {
  matched: number;
  willSend: number;
  unsubscribed: number;
  suppressed: number;
  invalid: number;
  sandbox: number;
}

/**
 * Counts the contacts that match, those that would get an email, and the others by the first reason that applies (B4.7).
 *
 * @param isSandbox whether the campaign is from the sandbox sender
 */
export async function breakDownAudience(
  db: Db,
  { projectId, type, condition = allContacts }: Audience,
  isSandbox: boolean,
): Promise<AudienceBreakdown> {
  const outside = isSandbox
    ? Prisma.sql`WHEN ${isOutsideSandbox('c."projectId"', 'c."email"')} THEN 'sandbox'`
    : Prisma.empty;
  const rows = await db.$queryRaw<AudienceBreakdown[]>(Prisma.sql`
SELECT count(*)::int AS matched, count(*) FILTER (WHERE reason IS NULL)::int AS "willSend",
  count(*) FILTER (WHERE reason = 'unsubscribed')::int AS unsubscribed,
  count(*) FILTER (WHERE reason = 'suppressed')::int AS suppressed, count(*) FILTER (WHERE reason = 'invalid')::int AS invalid,
  count(*) FILTER (WHERE reason = 'sandbox')::int AS sandbox
FROM (
  SELECT CASE WHEN ${type}::"EmailClass" <> 'TRANSACTIONAL' AND NOT c."subscribed" THEN 'unsubscribed'
    WHEN ${isSuppressed(projectId)} THEN 'suppressed' WHEN ${isInvalid} THEN 'invalid' ${outside} END AS reason
  FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${condition}
) audience`);
  return rows[0] ?? { matched: 0, willSend: 0, unsubscribed: 0, suppressed: 0, invalid: 0, sandbox: 0 };
}
