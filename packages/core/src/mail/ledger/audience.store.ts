import { contactSample } from '../../audience/contacts/index.ts';
import { type Db, type EmailClass, Prisma } from '../../base/db/index.ts';
import { sandboxAddresses } from './sandbox.ts';

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
 * Counts the contacts that match, those that would get an email, and the others by the first reason that applies (B4.7). Invalid
 * addresses are counted by their index, because testing every address takes longer than everything else.
 *
 * @param isSandbox whether the campaign is from the sandbox sender
 */
export async function breakDownAudience(
  db: Db,
  audience: Audience,
  isSandbox: boolean,
): Promise<AudienceBreakdown> {
  const row =
    audience.condition || isSandbox
      ? await countByScan(db, audience, isSandbox)
      : await countAll(db, audience);
  return { ...row, willSend: row.matched - row.unsubscribed - row.suppressed - row.invalid - row.sandbox };
}

type Counted = Omit<AudienceBreakdown, 'willSend'>;

const isReceiving = (type: EmailClass): Prisma.Sql =>
  Prisma.sql`(${type}::"EmailClass" = 'TRANSACTIONAL' OR c."subscribed")`;

// Within CASE a subquery stays a lookup for each row that gets there: few addresses are invalid, which the planner does not know.
const countInvalid = ({ projectId, type, condition = allContacts }: Audience): Prisma.Sql => Prisma.sql`
  SELECT count(*) FILTER (WHERE CASE WHEN ${isReceiving(type)} AND ${condition} THEN NOT ${isSuppressed(projectId)} ELSE false END)::int
  FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${isInvalid}`;

async function countByScan(db: Db, audience: Audience, isSandbox: boolean): Promise<Counted> {
  const { projectId, type, condition = allContacts } = audience;
  const isOutside = isSandbox
    ? Prisma.sql`NOT ${isInvalid} AND c."email" NOT IN (${sandboxAddresses(projectId)})`
    : Prisma.sql`false`;
  // Plain counts, which PostgreSQL makes in parallel, and by one join with the suppressed addresses.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT count(*)::int AS "matched", count(*) FILTER (WHERE NOT ${isReceiving(type)})::int AS "unsubscribed",
  count(*) FILTER (WHERE ${isReceiving(type)} AND s."email" IS NOT NULL)::int AS "suppressed",
  (${countInvalid(audience)}) AS "invalid",
  count(*) FILTER (WHERE ${isReceiving(type)} AND s."email" IS NULL AND ${isOutside})::int AS "sandbox"
FROM "Contact" c LEFT JOIN "Suppression" s ON s."projectId" = ${projectId}::uuid AND s."email" = c."email"
WHERE c."projectId" = ${projectId}::uuid AND ${condition}`);
  if (!row) throw new Error('counting an audience gave no row');
  return row;
}

/** The audience of all contacts is counted by indexes, without reading the contacts. */
async function countAll(db: Db, audience: Audience): Promise<Counted> {
  const { projectId, type } = audience;
  const unsubscribed = Prisma.sql`
    SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND NOT c."subscribed"`;
  // Within CASE a subquery stays a lookup: few addresses are suppressed, compared with all contacts.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT n."matched", n."unsubscribed", n."suppressed" - n."unsubscribedToo" AS "suppressed", n."invalid", 0 AS "sandbox" FROM (
  SELECT (SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid) AS "matched",
    ${whenMarketing(type, unsubscribed)} AS "unsubscribed",
    (SELECT count(*) FILTER (WHERE CASE WHEN s."email" <> '' THEN EXISTS (
        SELECT FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = s."email") END)::int
      FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid) AS "suppressed",
    ${whenMarketing(type, Prisma.sql`${unsubscribed} AND ${isSuppressed(projectId)}`)} AS "unsubscribedToo",
    (${countInvalid(audience)}) AS "invalid") n`);
  if (!row) throw new Error('counting an audience gave no row');
  return row;
}

const whenMarketing = (type: EmailClass, count: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${type}::"EmailClass" = 'TRANSACTIONAL' THEN 0 ELSE (${count}) END`;

/** Above this many contacts, counting those of an audience takes a noticeable time. */
const largeAbove = 100_000;

/** The breakdown from a sample of contacts; null in a project with at most 100,000 contacts, where counting is as fast. */
export async function estimateAudience(
  db: Db,
  audience: Audience,
  isSandbox: boolean,
): Promise<AudienceBreakdown | null> {
  const { projectId, type, condition = allContacts } = audience;
  const isOutside = isSandbox
    ? Prisma.sql`c."email" NOT IN (${sandboxAddresses(projectId)})`
    : Prisma.sql`false`;
  const [known] = await db.$queryRaw<{ contacts: number }[]>`
    SELECT coalesce(sum(n."created" - n."removed"), 0)::int AS "contacts" FROM "ContactCount" n WHERE n."projectId" = ${projectId}::uuid`;
  const contacts = known?.contacts ?? 0;
  if (contacts <= largeAbove) return null;
  const [row] = await db.$queryRaw<(Counted & { sampled: number })[]>(Prisma.sql`
WITH "sample" AS MATERIALIZED (${contactSample(projectId)}), "judged" AS (
  SELECT ${condition} AS "matches", CASE WHEN NOT ${isReceiving(type)} THEN 'unsubscribed' WHEN ${isSuppressed(projectId)} THEN 'suppressed'
    WHEN ${isInvalid} THEN 'invalid' WHEN ${isOutside} THEN 'sandbox' END AS "reason" FROM "sample" c
)
SELECT count(*)::int AS "sampled", count(*) FILTER (WHERE "matches")::int AS "matched", ${Prisma.join(
    ['unsubscribed', 'suppressed', 'invalid', 'sandbox'].map(
      (reason) =>
        Prisma.sql`count(*) FILTER (WHERE "matches" AND "reason" = ${reason})::int AS ${Prisma.raw(`"${reason}"`)}`,
    ),
  )} FROM "judged"`);
  if (!row || row.sampled === 0) return null;
  const scaled = (count: number): number => Math.round((count / row.sampled) * contacts);
  const { matched, unsubscribed, suppressed, invalid, sandbox } = row;
  const skipped = {
    unsubscribed: scaled(unsubscribed),
    suppressed: scaled(suppressed),
    invalid: scaled(invalid),
    sandbox: scaled(sandbox),
  };
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const willSend = Math.max(0, scaled(matched) - left);
  return { ...skipped, willSend, matched: willSend + left };
}
