import { type Choices, receives, type TopicSql, topicSql } from '../../audience/topics/index.ts';
import { constant, Prisma } from '../../base/db/index.ts';
import { simulatorSql } from '../../base/kernel/simulator.rules.ts';
import { hasOptedOut } from './opted-out.store.ts';
import { isOutsideSandbox } from './sandbox.store.ts';
import type { ExcludedBy } from './skip-reasons.rules.ts';

/** The recipient of an email as expressions of SQL: columns, or parameters. */
export interface Recipient {
  project: Prisma.Sql;
  address: Prisma.Sql;
  /** the class of the email */
  type: Prisma.Sql;
  /** what the person behind the address chose, and whether it is subscribed */
  choices: Choices;
  /** of the email, with NULL as its number where it has none; null where no email of the statement has one */
  topic: TopicSql | null;
  /** of a contact of an audience: campaigns whose email it must not get a second time; absent without any */
  instead?: { contact: Prisma.Sql; campaigns: readonly string[] } | null;
}

const suppressionOf = ({ project, address }: Pick<Recipient, 'project' | 'address'>): Prisma.Sql =>
  Prisma.sql`"Suppression" s WHERE s."projectId" = ${project} AND s."email" = ${address}`;

/** Whether email of this class needs a subscription that the recipient does not have. Transactional email needs none. */
const isUnsubscribed = ({ type, choices }: Pick<Recipient, 'type' | 'choices'>): Prisma.Sql =>
  Prisma.sql`(${type} <> 'TRANSACTIONAL' AND NOT ${choices.subscribed})`;

/** Whether somebody has said no to a topic; to none without one. */
export const declines = (topicsOff: Prisma.Sql, { number }: Pick<TopicSql, 'number'>): Prisma.Sql =>
  Prisma.sql`coalesce(${number} = ANY(${topicsOff}), false)`;

/** The topic of email that is not transactional: without one it belongs to `general`. */
export const orGeneral = (topic: TopicSql | null): TopicSql => {
  const general = topicSql(null);
  return topic
    ? {
        number: Prisma.sql`coalesce(${topic.number}, ${general.number})`,
        isIn: Prisma.sql`coalesce(${topic.isIn}, ${general.isIn})`,
      }
    : general;
};

/**
 * Whether the recipient does not receive the topic of the email: that of a transactional one by a no, that of any other, `general` without
 * one, by what `receives_topic` says (behaviour B12.3).
 */
export const isTopicOff = ({
  type,
  choices,
  topic,
}: Pick<Recipient, 'type' | 'choices' | 'topic'>): Prisma.Sql => {
  const declined = topic ? declines(choices.topicsOff, topic) : constant('false');
  return Prisma.sql`(CASE WHEN ${type} = 'TRANSACTIONAL' THEN ${declined} ELSE NOT ${receives(choices, orGeneral(topic))} END)`;
};

/** Whether it is an address of the simulator whose email is skipped like that to a suppressed one. */
export const isSuppressedName = (address: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${address} = ${constant(simulatorSql.suppressed)} OR ${address} LIKE ${constant(simulatorSql.suppressedWithLabel)})`;

/** Whether it is an address of the simulator: what is sent to it never leaves, and counts for nothing. */
export const isSimulatedAddress = (address: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${address} LIKE ${constant(simulatorSql.any)})`;

export const isSuppressed = (recipient: Pick<Recipient, 'project' | 'address'>): Prisma.Sql =>
  Prisma.sql`(EXISTS (SELECT FROM ${suppressionOf(recipient)}) OR ${isSuppressedName(recipient.address)})`;

/** The same as a look-up for each row, which no planner makes a scan of all suppressed addresses. */
export const isSuppressedByRow = (recipient: Pick<Recipient, 'project' | 'address'>): Prisma.Sql =>
  Prisma.sql`((SELECT true FROM ${suppressionOf(recipient)}) IS NOT NULL OR ${isSuppressedName(recipient.address)})`;

/**
 * Undeliverable addresses: not exactly one `@` with a dotted host after it, or white space. Such addresses come from
 * old imports. Not a regular expression, because a million matches would take a large part of a freeze.
 */
const isInvalid = ({
  address,
}: Pick<
  Recipient,
  'address'
>): Prisma.Sql => Prisma.sql`(${address} NOT LIKE '%_@_%._%' OR ${address} LIKE '%@%@%'
  OR ${address} <> translate(${address}, E' \\t\\n\\r\\f\\v', ''))`;

/**
 * Whether the contact has an email of one of these campaigns that was sent or still will be, or is held out of one of them. As a look-up for each row: statistics know
 * nothing of a campaign that was just sent.
 */
const isDuplicate = ({ project, instead }: Pick<Recipient, 'project' | 'instead'>): Prisma.Sql =>
  instead
    ? Prisma.sql`((SELECT true FROM "Email" i WHERE i."campaignId" = ANY(${[...instead.campaigns]}::uuid[]) AND i."contactId" = ${instead.contact}
    AND i."projectId" IS NOT DISTINCT FROM ${project} AND (i."status" NOT IN ('FAILED', 'SKIPPED') OR i."reason" = 'held_out') LIMIT 1) IS NOT NULL)`
    : constant('false');

/** Whether a reason holds for a recipient. */
export const excluded = {
  unsubscribed: isUnsubscribed,
  topic: isTopicOff,
  suppressed: isSuppressed,
  invalid: isInvalid,
  duplicate: isDuplicate,
  sandbox: isOutsideSandbox,
} satisfies { [Reason in ExcludedBy]: (recipient: Recipient) => Prisma.Sql };

/** The first of the reasons that holds; NULL when none does. */
export const firstReason = (
  reasons: readonly ExcludedBy[],
  recipient: Recipient,
  /** conditions that a statement knows a faster way for */
  own: { readonly [Reason in ExcludedBy]?: Prisma.Sql } = {},
): Prisma.Sql =>
  Prisma.sql`CASE ${Prisma.join(
    reasons.map((reason) => {
      const holds: Prisma.Sql = own[reason] ?? excluded[reason](recipient);
      return Prisma.sql`WHEN ${holds} THEN ${constant(`'${reason}'`)}`;
    }),
    ' ',
  )} END`;

/**
 * Whether the person who gets an email about a contact is subscribed: the contact, or, at another address, a person who has not opted
 * out, as a contact or before that contact was deleted.
 *
 * @param isOwn whether the address is that of the contact
 * @param hash the keyed hash of the other address, by which opt-outs of deleted contacts are found
 */
export const isWilling = (
  { project, address, subscribed }: Pick<Recipient, 'project' | 'address'> & Pick<Choices, 'subscribed'>,
  isOwn: Prisma.Sql,
  hash: Uint8Array<ArrayBuffer> | Prisma.Sql | null,
): Prisma.Sql => Prisma.sql`(CASE WHEN ${isOwn} THEN ${subscribed} ELSE NOT (${hasOptedOut({ project, address })}
  OR EXISTS (SELECT FROM "OptOut" o WHERE o."projectId" = ${project} AND o."addressHash" = ${hash})) END)`;
