import {
  type ConsentBasis,
  consentBases,
  contactStatus,
  type NotSubscribedStatus,
  notSubscribedStatuses,
  statusUnlessSubscribed,
} from '../../audience/consent/index.ts';
import { contactSample } from '../../audience/contacts/index.ts';
import { choicesOf, hasChoices, type ReceivedTopic, topicSql } from '../../audience/topics/index.ts';
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
  /** of its emails; null without one */
  topic: ReceivedTopic | null;
  /** condition over `"Contact" c`; all contacts when absent */
  condition?: Prisma.Sql;
  /** other campaigns of its family that were sent in its round, whose email a contact gets instead; absent without any */
  others?: readonly string[];
}

const allContacts = Prisma.sql`true`;

/** The contact `c` as the recipient of an email of this class. */
export const contactAs = ({
  projectId,
  type,
  topic,
  others,
}: Pick<AudienceQuery, 'projectId' | 'type' | 'topic' | 'others'>): Recipient => ({
  project: Prisma.sql`${projectId}::uuid`,
  address: constant('c."email"'),
  type: Prisma.sql`${type}::"EmailClass"`,
  choices: choicesOf('c'),
  topic: topic && topicSql(topic),
  instead: others ? { contact: constant('c."id"'), campaigns: others } : null,
});

/** Reasons for which a contact of an audience gets a SKIPPED email. One that is not subscribed, or not to the topic, gets none. */
export const skippedInFreeze = (isSandbox: boolean): ExcludedBy[] =>
  exclusionsOf(isSandbox).filter((reason) => !exclusionOf(reason).isLeftOut);

/** SQL: whether no email is written for the contact `c`. */
const isLeftOut = (audience: Pick<AudienceQuery, 'projectId' | 'type' | 'topic'>): Prisma.Sql => {
  const contact = contactAs(audience);
  return Prisma.sql`(${excluded.unsubscribed(contact)} OR ${excluded.topic(contact)})`;
};

const exclusionsOf = (isSandbox: boolean): ExcludedBy[] =>
  exclusions.filter((reason) => isSandbox || !exclusionOf(reason).ofSandbox);

/**
 * Contacts of an audience: those that match and may get email of this type. Suppressed and invalid addresses are
 * included and get a SKIPPED email.
 */
export const audienceSql = ({
  sentAt,
  condition = allContacts,
  ...audience
}: AudienceQuery & { sentAt: Date }): Prisma.Sql => Prisma.sql`
  "Contact" c WHERE c."projectId" = ${audience.projectId}::uuid AND c."createdAt" <= ${sentAt}
    AND NOT ${isLeftOut(audience)} AND ${condition}`;

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
      AND ${isSimulatedAddress(contact.address)} AND NOT ${excluded.suppressed(contact)} AND NOT ${excluded.duplicate(contact)}`);
  return rows[0]?.count ?? 0;
}

/** Addresses of the first contacts who would be sent an email, in the order in which an audience is frozen. */
export async function firstRecipients(db: Db, audience: AudienceQuery, limit: number): Promise<string[]> {
  const contact = contactAs(audience);
  const rows = await db.$queryRaw<{ email: string }[]>(Prisma.sql`
    SELECT c."email" FROM ${audienceSql({ ...audience, sentAt: new Date() })}
      AND NOT ${excluded.suppressed(contact)} AND NOT ${excluded.invalid(contact)} AND NOT ${excluded.duplicate(contact)}
    ORDER BY c."createdAt", c."id" LIMIT ${limit}::int`);
  return rows.map(({ email }) => email);
}

/** Whether at least one contact would be sent an email. */
export async function anyoneToSendTo(db: Db, audience: AudienceQuery): Promise<boolean> {
  const contact = contactAs(audience);
  const rows = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (
      SELECT FROM (SELECT c."id", c."email" FROM ${audienceSql({ ...audience, sentAt: new Date() })}) c
      WHERE NOT ${excluded.suppressed(contact)} AND NOT ${excluded.invalid(contact)} AND NOT ${excluded.duplicate(contact)}
    ) AS found`);
  return rows[0]?.found ?? false;
}

export type AudienceBreakdown = { matched: number; willSend: number } & Record<ExcludedBy, number> & {
    /** those that are not subscribed, by their status */
    notSubscribed: Record<NotSubscribedStatus, number>;
  };

type StatusColumn = `is ${NotSubscribedStatus}`;

/** A row of a count: beside the reasons, the statuses of those that are not subscribed. */
type Counted = { matched: number } & Record<ExcludedBy | StatusColumn, number>;

const leftOut = (counted: Record<ExcludedBy, number>): number =>
  exclusions.reduce((sum, reason) => sum + counted[reason], 0);

const breakdownOf = (counted: Counted, willSend: number): AudienceBreakdown => ({
  matched: willSend + leftOut(counted),
  willSend,
  ...(Object.fromEntries(exclusions.map((reason) => [reason, counted[reason]])) as Record<
    ExcludedBy,
    number
  >),
  notSubscribed: Object.fromEntries(
    notSubscribedStatuses.map((status) => [status, counted[`is ${status}`]]),
  ) as Record<NotSubscribedStatus, number>,
});

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
    audience.condition || audience.others || isSandbox
      ? await countByScan(db, audience, isSandbox)
      : await countAll(db, audience);
  return breakdownOf(row, row.matched - leftOut(row));
}

// Within CASE a subquery stays a lookup for each row that gets there: few addresses are invalid, which the planner does not know.
const countInvalid = ({ condition = allContacts, ...audience }: AudienceQuery): Prisma.Sql => {
  const contact = contactAs(audience);
  return Prisma.sql`
  SELECT count(*) FILTER (WHERE CASE WHEN NOT ${isLeftOut(audience)} AND ${condition} THEN NOT ${excluded.suppressed(contact)} ELSE false END)::int
  FROM "Contact" c WHERE c."projectId" = ${contact.project} AND ${excluded.invalid(contact)}`;
};

const countColumns = (counts: Record<ExcludedBy, Prisma.Sql>): Prisma.Sql =>
  Prisma.join(exclusions.map((reason) => Prisma.sql`${counts[reason]} AS ${constant(`"${reason}"`)}`));

/** @param countOf the number of the contacts that are excluded because of their subscription and have a status */
const statusColumns = (countOf: (status: NotSubscribedStatus) => Prisma.Sql): Prisma.Sql =>
  Prisma.join(
    notSubscribedStatuses.map((status) => Prisma.sql`${countOf(status)} AS ${constant(`"is ${status}"`)}`),
  );

const isBeyondSandbox = (projectId: string): Prisma.Sql =>
  Prisma.sql`(c."email" NOT IN (${sandboxAddresses(projectId)}) AND NOT ${isSimulatedAddress(constant('c."email"'))}
    AND NOT ${isTestProject(Prisma.sql`${projectId}::uuid`)})`;

async function countByScan(db: Db, audience: AudienceQuery, isSandbox: boolean): Promise<Counted> {
  const { projectId, condition = allContacts } = audience;
  const contact = contactAs(audience);
  const isUnsubscribed = excluded.unsubscribed(contact);
  const isOut = isLeftOut(audience);
  const isDuplicate = Prisma.sql`NOT ${excluded.invalid(contact)} AND ${excluded.duplicate(contact)}`;
  const isOutside = isSandbox
    ? Prisma.sql`NOT ${excluded.invalid(contact)} AND NOT ${excluded.duplicate(contact)} AND ${isBeyondSandbox(projectId)}`
    : Prisma.sql`false`;
  const isSuppressed = Prisma.sql`(s."email" IS NOT NULL OR ${isSuppressedName(contact.address)})`;
  // Plain counts, which PostgreSQL makes in parallel, and by one join with the suppressed addresses.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT count(*)::int AS "matched", ${countColumns({
    unsubscribed: Prisma.sql`count(*) FILTER (WHERE ${isUnsubscribed})::int`,
    topic: Prisma.sql`count(*) FILTER (WHERE NOT ${isUnsubscribed} AND ${excluded.topic(contact)})::int`,
    suppressed: Prisma.sql`count(*) FILTER (WHERE NOT ${isOut} AND ${isSuppressed})::int`,
    invalid: Prisma.sql`(${countInvalid(audience)})`,
    duplicate: audience.others
      ? Prisma.sql`count(*) FILTER (WHERE NOT ${isOut} AND NOT ${isSuppressed} AND ${isDuplicate})::int`
      : Prisma.sql`0`,
    sandbox: Prisma.sql`count(*) FILTER (WHERE NOT ${isOut} AND NOT ${isSuppressed} AND ${isOutside})::int`,
  })}, ${statusColumns((status) => Prisma.sql`count(*) FILTER (WHERE ${isUnsubscribed} AND ${contactStatus} = ${status})::int`)}
FROM "Contact" c LEFT JOIN "Suppression" s ON s."projectId" = ${projectId}::uuid AND s."email" = c."email"
WHERE c."projectId" = ${projectId}::uuid AND ${condition}`);
  if (!row) throw new Error('counting an audience gave no row');
  return row;
}

/** Contacts of a project without receiving a topic that is theirs by default, and those that chose one that is not: few have choices. */
const withChoices = ({ projectId }: AudienceQuery, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${hasChoices('c')} AND ${condition}`;

/** The audience of all contacts is counted by indexes, without reading the contacts. */
async function countAll(db: Db, audience: AudienceQuery): Promise<Counted> {
  const { projectId, type, topic } = audience;
  const contact = contactAs(audience);
  const isSuppressed = excluded.suppressed(contact);
  const unsubscribed = Prisma.sql`
    SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND NOT c."subscribed"`;
  const isChosen = type !== 'TRANSACTIONAL' && topic?.default === 'OUT';
  // Of a topic that has to be chosen, who receives it is counted; of any other, who does not.
  const chosen = Prisma.sql`NOT ${isLeftOut(audience)}`;
  const declined = Prisma.sql`NOT ${excluded.unsubscribed(contact)} AND ${excluded.topic(contact)}`;
  // Within CASE a subquery stays a lookup: few addresses are suppressed, compared with all contacts.
  const [row] = await db.$queryRaw<Counted[]>(Prisma.sql`
SELECT n."matched", ${countColumns({
    unsubscribed: Prisma.sql`n."unsubscribed"`,
    topic: isChosen ? Prisma.sql`n."matched" - n."unsubscribed" - n."choosing"` : Prisma.sql`n."choosing"`,
    suppressed: isChosen
      ? Prisma.sql`n."choosingToo"`
      : Prisma.sql`n."suppressed" - n."unsubscribedToo" - n."choosingToo"`,
    invalid: Prisma.sql`n."invalid"`,
    duplicate: Prisma.sql`0`,
    sandbox: Prisma.sql`0`,
  })}, ${statusColumns((status) =>
    whenMarketing(type, Prisma.sql`coalesce(n."statuses" -> ${status}::text, '0')::int`),
  )} FROM (
  SELECT (SELECT count(*)::int FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid) AS "matched",
    ${whenMarketing(type, unsubscribed)} AS "unsubscribed",
    (SELECT jsonb_object_agg(s."status", s."count") FROM (
      SELECT ${statusUnlessSubscribed} AS "status", count(*)::int AS "count" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid AND NOT c."subscribed" GROUP BY 1) s) AS "statuses",
    (${withChoices(audience, isChosen ? chosen : declined)}) AS "choosing",
    (SELECT count(*) FILTER (WHERE CASE WHEN s."email" <> '' THEN EXISTS (
        SELECT FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = s."email") END)::int
      FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid) AS "suppressed",
    ${whenMarketing(type, Prisma.sql`${unsubscribed} AND ${isSuppressed}`)} AS "unsubscribedToo",
    (${withChoices(audience, Prisma.sql`${isChosen ? chosen : declined} AND ${isSuppressed}`)}) AS "choosingToo",
    (${countInvalid(audience)}) AS "invalid") n`);
  if (!row) throw new Error('counting an audience gave no row');
  return row;
}

const whenMarketing = (type: EmailClass, count: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${type}::"EmailClass" = 'TRANSACTIONAL' THEN 0 ELSE (${count}) END`;

/** Above this many contacts, counting those of an audience takes a noticeable time. */
const largeAbove = 100_000;

async function contactCount(db: Db, projectId: string): Promise<number> {
  const [known] = await db.$queryRaw<{ contacts: number }[]>`
    SELECT coalesce(sum(n."created" - n."removed"), 0)::int AS "contacts" FROM "ContactCount" n WHERE n."projectId" = ${projectId}::uuid`;
  return known?.contacts ?? 0;
}

/** The breakdown from a sample of contacts; null in a project with at most 100,000 contacts, where counting is as fast. */
export async function estimateAudience(
  db: Db,
  audience: AudienceQuery,
  isSandbox: boolean,
): Promise<AudienceBreakdown | null> {
  const { projectId, condition = allContacts } = audience;
  const contacts = await contactCount(db, projectId);
  if (contacts <= largeAbove) return null;
  const [row] = await db.$queryRaw<(Counted & { sampled: number })[]>(Prisma.sql`
WITH "sample" AS MATERIALIZED (${contactSample(projectId)}), "judged" AS (
  SELECT ${condition} AS "matches", ${firstReason(exclusionsOf(isSandbox), contactAs(audience), {
    // The addresses are few: one set of them, instead of a look-up for each contact.
    sandbox: isBeyondSandbox(projectId),
  })} AS "reason", ${contactStatus} AS "status" FROM "sample" c
)
SELECT count(*)::int AS "sampled", count(*) FILTER (WHERE "matches")::int AS "matched", ${Prisma.join(
    exclusions.map(
      (reason) =>
        Prisma.sql`count(*) FILTER (WHERE "matches" AND "reason" = ${reason})::int AS ${constant(`"${reason}"`)}`,
    ),
  )}, ${statusColumns(
    (status) =>
      Prisma.sql`count(*) FILTER (WHERE "matches" AND "reason" = 'unsubscribed' AND "status" = ${status})::int`,
  )} FROM "judged"`);
  if (!row || row.sampled === 0) return null;
  const { sampled, ...counted } = row;
  const scaled = mapValues(counted, (count) => Math.round((count / sampled) * contacts));
  // Rounded one by one, they need not be the sum of their statuses.
  const unsubscribed = notSubscribedStatuses.reduce((sum, status) => sum + scaled[`is ${status}`], 0);
  const closed = { ...scaled, unsubscribed };
  return breakdownOf(closed, Math.max(0, closed.matched - leftOut(closed)));
}

/** What the subscription of a contact `c` rests on; of one that ended a pause from before there was a log nothing is known. */
const basis = constant(`coalesce(c."consentBasis"::text, 'unknown')`);

export interface BasisCounts {
  counts: Record<ConsentBasis, number>;
  isEstimated: boolean;
}

/**
 * How many subscribed contacts of an audience would be sent an email, by what their subscription rests on: in a project with more than 100,000
 * contacts from the sample of `estimateAudience`.
 *
 * @param isSandbox whether the campaign is from the sandbox sender
 */
export async function countBases(db: Db, audience: AudienceQuery, isSandbox: boolean): Promise<BasisCounts> {
  const contacts = await contactCount(db, audience.projectId);
  const isEstimated = contacts > largeAbove;
  const rows = isEstimated
    ? await sampleBases(db, audience, isSandbox)
    : await scanBases(db, audience, isSandbox);
  const sampled = rows[0]?.sampled ?? 0;
  const scaled = (count: number): number =>
    isEstimated && sampled > 0 ? Math.round((count / sampled) * contacts) : count;
  const countOf = new Map(rows.map(({ basis: name, count }) => [name, scaled(count)]));
  return {
    counts: Object.fromEntries(consentBases.map((name) => [name, countOf.get(name) ?? 0])) as Record<
      ConsentBasis,
      number
    >,
    isEstimated,
  };
}

interface BasisRow {
  basis: ConsentBasis;
  count: number;
  sampled: number;
}

/** One scan with one join; those with an invalid address are found by their index, and taken away again. */
function scanBases(db: Db, audience: AudienceQuery, isSandbox: boolean): Promise<BasisRow[]> {
  const { projectId, condition = allContacts } = audience;
  const contact = contactAs(audience);
  const isOutside = isSandbox
    ? Prisma.sql`NOT ${excluded.invalid(contact)} AND ${isBeyondSandbox(projectId)}`
    : Prisma.sql`false`;
  return db.$queryRaw<BasisRow[]>(Prisma.sql`
SELECT n."basis", sum(n."count")::int AS "count", 0 AS "sampled" FROM (
  SELECT ${basis} AS "basis", count(*) AS "count"
  FROM "Contact" c LEFT JOIN "Suppression" s ON s."projectId" = ${projectId}::uuid AND s."email" = c."email"
  WHERE c."projectId" = ${projectId}::uuid AND c."subscribed" AND NOT ${isLeftOut(audience)} AND s."email" IS NULL
    AND NOT ${isSuppressedName(contact.address)} AND NOT (${isOutside}) AND ${condition}
  GROUP BY 1
  UNION ALL
  SELECT ${basis}, -count(*) FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${excluded.invalid(contact)}
    AND CASE WHEN c."subscribed" AND NOT ${isLeftOut(audience)} AND ${condition} THEN NOT ${excluded.suppressed(contact)} ELSE false END
  GROUP BY 1
) n GROUP BY 1`);
}

const sampleBases = (db: Db, audience: AudienceQuery, isSandbox: boolean): Promise<BasisRow[]> =>
  db.$queryRaw<BasisRow[]>(Prisma.sql`
WITH "sample" AS MATERIALIZED (${contactSample(audience.projectId)}), "judged" AS (
  SELECT c."subscribed" AND ${audience.condition ?? allContacts} AND ${firstReason(
    exclusionsOf(isSandbox),
    contactAs(audience),
    { sandbox: isBeyondSandbox(audience.projectId) },
  )} IS NULL AS "counts", ${basis} AS "basis" FROM "sample" c
)
SELECT "basis", count(*) FILTER (WHERE "counts")::int AS "count", sum(count(*)) OVER ()::int AS "sampled" FROM "judged" GROUP BY 1`);

export interface AudienceTraits {
  /** contacts of the audience that may get its email */
  of: number;
  /** without a value, by the keys of their data */
  lacking: Record<string, number>;
  /** who were never sent an email */
  neverMailed: number;
  isEstimated: boolean;
}

/** Above this many contacts a sample is looked at: each contact needs a look-up. */
const looksAbove = 20_000;
const mostKeys = 20;

/** What the contacts of an audience lack. @param keys of their data, of which the first 20 are counted */
export async function countTraits(
  db: Db,
  audience: AudienceQuery,
  keys: readonly string[],
): Promise<AudienceTraits> {
  const { projectId, condition = allContacts } = audience;
  const contacts = await contactCount(db, projectId);
  const isEstimated = contacts > looksAbove;
  const people = isEstimated
    ? Prisma.sql`MATERIALIZED (${contactSample(projectId)})`
    : Prisma.sql`NOT MATERIALIZED (SELECT * FROM "Contact" WHERE "projectId" = ${projectId}::uuid)`;
  const counted = keys.slice(0, mostKeys);
  const lacking = counted.map(
    (key) => Prisma.sql`count(*) FILTER (WHERE coalesce(c."data" ->> ${key}::text, '') = '')::int`,
  );
  const [row] = await db.$queryRaw<
    { sampled: number; of: number; neverMailed: number; lacking: number[] }[]
  >(Prisma.sql`
WITH "people" AS ${people}
SELECT ${isEstimated ? Prisma.sql`(SELECT count(*)::int FROM "people")` : Prisma.sql`0`} AS "sampled", count(*)::int AS "of",
  count(*) FILTER (WHERE NOT EXISTS (SELECT FROM "Email" e WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = c."id"
    AND e."sentAt" IS NOT NULL))::int AS "neverMailed",
  ARRAY[${lacking.length > 0 ? Prisma.join(lacking) : Prisma.empty}]::int[] AS "lacking"
FROM "people" c WHERE NOT ${isLeftOut(audience)} AND ${condition}`);
  const scaled = (count = 0): number =>
    isEstimated && row && row.sampled > 0 ? Math.round((count / row.sampled) * contacts) : count;
  return {
    of: scaled(row?.of),
    lacking: Object.fromEntries(counted.map((key, index) => [key, scaled(row?.lacking[index])])),
    neverMailed: scaled(row?.neverMailed),
    isEstimated,
  };
}

const mapValues = <Key extends string>(
  record: Record<Key, number>,
  change: (value: number) => number,
): Record<Key, number> =>
  Object.fromEntries(Object.entries<number>(record).map(([key, value]) => [key, change(value)])) as Record<
    Key,
    number
  >;
