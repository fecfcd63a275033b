import { contactSample } from '../../audience/contacts/index.ts';
import { constant, type Db, type EmailClass, Prisma } from '../../base/db/index.ts';
import {
  type ExcludedBy,
  excluded,
  exclusionOf,
  exclusions,
  firstReason,
  isSimulatedAddress,
  isSuppressedName,
  isTestProject,
  type Recipient,
  sandboxAddresses,
} from '../eligibility/index.ts';

/** The contacts that a campaign is for, in the form of a query. */
export interface AudienceQuery {
  projectId: string;
  type: EmailClass;
  /** condition over `"Contact" c`; all contacts when absent */
  condition?: Prisma.Sql;
}

const allContacts = Prisma.sql`true`;

/** The contact `c` as the recipient of an email of this class. */
export const contactAs = ({ projectId, type }: Pick<AudienceQuery, 'projectId' | 'type'>): Recipient => ({
  project: Prisma.sql`${projectId}::uuid`,
  address: constant('c."email"'),
  type: Prisma.sql`${type}::"EmailClass"`,
  subscribed: constant('c."subscribed"'),
});

/** Reasons for which a contact of an audience gets a SKIPPED email. One that is not subscribed gets none. */
export const skippedInFreeze = (isSandbox: boolean): ExcludedBy[] =>
  exclusionsOf(isSandbox).filter((reason) => reason !== 'unsubscribed');

const exclusionsOf = (isSandbox: boolean): ExcludedBy[] =>
  exclusions.filter((reason) => isSandbox || !exclusionOf(reason).ofSandbox);

/**
 * Contacts of an audience: those that match and may get email of this type. Suppressed and invalid addresses are
 * included and get a SKIPPED email.
 */
export const audienceSql = ({
  projectId,
  type,
  sentAt,
  condition = allContacts,
}: AudienceQuery & { sentAt: Date }): Prisma.Sql => Prisma.sql`
  "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" <= ${sentAt}
    AND NOT ${excluded.unsubscribed(contactAs({ projectId, type }))} AND ${condition}`;

/** The number of emails that freezing would write now. */
export async function countAudience(db: Db, audience: AudienceQuery): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM ${audienceSql({ ...audience, sentAt: new Date() })}`,
  );
  return rows[0]?.count ?? 0;
}

/** How many of an audience have addresses of the simulator, whose email counts for no cap. */
export async function countSimulated(db: Db, audience: AudienceQuery): Promise<number> {
  const contact = contactAs(audience);
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS count FROM ${audienceSql({ ...audience, sentAt: new Date() })}
      AND ${isSimulatedAddress(contact.address)} AND NOT ${excluded.suppressed(contact)}`);
  return rows[0]?.count ?? 0;
}

/** Whether at least one contact would be sent an email. */
export async function anyoneToSendTo(db: Db, audience: AudienceQuery): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (
      SELECT FROM (SELECT c."email" FROM ${audienceSql({ ...audience, sentAt: new Date() })}) c
      WHERE NOT ${excluded.suppressed(contactAs(audience))} AND NOT ${excluded.invalid(contactAs(audience))}
    ) AS found`);
  return rows[0]?.found ?? false;
}

export interface AudienceBreakdown extends Counted {
  willSend: number;
}

type Counted = { matched: number } & Record<ExcludedBy, number>;

const leftOut = (counted: Counted): number => exclusions.reduce((sum, reason) => sum + counted[reason], 0);

/**
 * Counts the contacts that match, those that would get an email, and the others by the first reason that applies (B4.7). Invalid
 * addresses are counted by their index, because testing every address takes longer than everything else.
 *
 * @param isSandbox whether the campaign is from the sandbox sender
 */
export async function breakDownAudience(
  db: Db,
  audience: AudienceQuery,
  isSandbox: boolean,
): Promise<AudienceBreakdown> {
  const row =
    audience.condition || isSandbox
      ? await countByScan(db, audience, isSandbox)
      : await countAll(db, audience);
  return { ...row, willSend: row.matched - leftOut(row) };
}

// Within CASE a subquery stays a lookup for each row that gets there: few addresses are invalid, which the planner does not know.
const countInvalid = ({ condition = allContacts, ...audience }: AudienceQuery): Prisma.Sql => {
  const contact = contactAs(audience);
  return Prisma.sql`
  SELECT count(*) FILTER (WHERE CASE WHEN NOT ${excluded.unsubscribed(contact)} AND ${condition} THEN NOT ${excluded.suppressed(contact)} ELSE false END)::int
  FROM "Contact" c WHERE c."projectId" = ${contact.project} AND ${excluded.invalid(contact)}`;
};

const countColumns = (counts: Record<ExcludedBy, Prisma.Sql>): Prisma.Sql =>
  Prisma.join(exclusions.map((reason) => Prisma.sql`${counts[reason]} AS ${constant(`"${reason}"`)}`));

const isBeyondSandbox = (projectId: string): Prisma.Sql =>
  Prisma.sql`(c."email" NOT IN (${sandboxAddresses(projectId)}) AND NOT ${isSimulatedAddress(constant('c."email"'))}
    AND NOT ${isTestProject(Prisma.sql`${projectId}::uuid`)})`;

async function countByScan(db: Db, audience: AudienceQuery, isSandbox: boolean): Promise<Counted> {
  const { projectId, condition = allContacts } = audience;
  const contact = contactAs(audience);
  const isUnsubscribed = excluded.unsubscribed(contact);
  const isOutside = isSandbox
    ? Prisma.sql`NOT ${excluded.invalid(contact)} AND ${isBeyondSandbox(projectId)}`
    : Prisma.sql`false`;
  const isSuppressed = Prisma.sql`(s."email" IS NOT NULL OR ${isSuppressedName(contact.address)})`;
  // Plain counts, which PostgreSQL makes in parallel, and by one join with the suppressed addresses.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT count(*)::int AS "matched", ${countColumns({
    unsubscribed: Prisma.sql`count(*) FILTER (WHERE ${isUnsubscribed})::int`,
    suppressed: Prisma.sql`count(*) FILTER (WHERE NOT ${isUnsubscribed} AND ${isSuppressed})::int`,
    invalid: Prisma.sql`(${countInvalid(audience)})`,
    sandbox: Prisma.sql`count(*) FILTER (WHERE NOT ${isUnsubscribed} AND NOT ${isSuppressed} AND ${isOutside})::int`,
  })}
FROM "Contact" c LEFT JOIN "Suppression" s ON s."projectId" = ${projectId}::uuid AND s."email" = c."email"
WHERE c."projectId" = ${projectId}::uuid AND ${condition}`);
  if (!row) throw new Error('counting an audience gave no row');
  return row;
}

/** The audience of all contacts is counted by indexes, without reading the contacts. */
async function countAll(db: Db, audience: AudienceQuery): Promise<Counted> {
  const { projectId, type } = audience;
  const unsubscribed = Prisma.sql`
    SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND NOT c."subscribed"`;
  // Within CASE a subquery stays a lookup: few addresses are suppressed, compared with all contacts.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT n."matched", ${countColumns({
    unsubscribed: Prisma.sql`n."unsubscribed"`,
    suppressed: Prisma.sql`n."suppressed" - n."unsubscribedToo"`,
    invalid: Prisma.sql`n."invalid"`,
    sandbox: Prisma.sql`0`,
  })} FROM (
  SELECT (SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid) AS "matched",
    ${whenMarketing(type, unsubscribed)} AS "unsubscribed",
    (SELECT count(*) FILTER (WHERE CASE WHEN s."email" <> '' THEN EXISTS (
        SELECT FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = s."email") END)::int
      FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid) AS "suppressed",
    ${whenMarketing(type, Prisma.sql`${unsubscribed} AND ${excluded.suppressed(contactAs(audience))}`)} AS "unsubscribedToo",
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
  audience: AudienceQuery,
  isSandbox: boolean,
): Promise<AudienceBreakdown | null> {
  const { projectId, condition = allContacts } = audience;
  const [known] = await db.$queryRaw<{ contacts: number }[]>`
    SELECT coalesce(sum(n."created" - n."removed"), 0)::int AS "contacts" FROM "ContactCount" n WHERE n."projectId" = ${projectId}::uuid`;
  const contacts = known?.contacts ?? 0;
  if (contacts <= largeAbove) return null;
  const [row] = await db.$queryRaw<(Counted & { sampled: number })[]>(Prisma.sql`
WITH "sample" AS MATERIALIZED (${contactSample(projectId)}), "judged" AS (
  SELECT ${condition} AS "matches", ${firstReason(exclusionsOf(isSandbox), contactAs(audience), {
    // The addresses are few: one set of them, instead of a look-up for each contact.
    sandbox: isBeyondSandbox(projectId),
  })} AS "reason" FROM "sample" c
)
SELECT count(*)::int AS "sampled", count(*) FILTER (WHERE "matches")::int AS "matched", ${Prisma.join(
    exclusions.map(
      (reason) =>
        Prisma.sql`count(*) FILTER (WHERE "matches" AND "reason" = ${reason})::int AS ${constant(`"${reason}"`)}`,
    ),
  )} FROM "judged"`);
  if (!row || row.sampled === 0) return null;
  const { sampled, ...counted } = row;
  const scaled = mapValues(counted, (count) => Math.round((count / sampled) * contacts));
  const left = leftOut(scaled);
  const willSend = Math.max(0, scaled.matched - left);
  return { ...scaled, willSend, matched: willSend + left };
}

const mapValues = <Key extends string>(
  record: Record<Key, number>,
  change: (value: number) => number,
): Record<Key, number> =>
  Object.fromEntries(Object.entries<number>(record).map(([key, value]) => [key, change(value)])) as Record<
    Key,
    number
  >;
