import type { PoolClient } from 'pg';
import { choicesOf } from '../../audience/topics/index.ts';
import { constant, type EmailClass, type EmailSource, Prisma, prepared } from '../../base/db/index.ts';
import { normalizeAddress } from '../../base/kernel/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import {
  declines,
  hasOptedOut,
  isSuppressed,
  isTopicOff,
  orGeneral,
  sandboxState,
} from '../eligibility/index.ts';
import type { BatchKey, BatchResult } from './batch.ts';
import { byBatchKey, byKey } from './by-key.ts';
import { isPaused } from './pause.store.ts';
import { readShared, type StoredShared } from './shared.store.ts';

/** The owner of a project whose address is not proven. */
export interface UnprovenOwner {
  id: string;
  language: MailLanguage;
}

/** An email of a claimed batch, with everything that decides whether and how it is handed over. */
export interface ClaimedEmail {
  /** its position in the batch and in its bitmaps, from 0 */
  n: number;
  id: string;
  projectId: string;
  campaignId: string | null;
  domainId: string | null;
  /** of its batch */
  priority: number;
  to: string;
  toName: string | null;
  type: EmailClass;
  sourceType: EmailSource;
  contentId: string;
  /** the values of its variables, when they were fixed at its creation; otherwise those of the contact count */
  vars: Record<string, unknown> | null;
  tracked: boolean;
  attempts: number;
  contactId: string | null;
  /** null when the contact does not exist */
  contactEmail: string | null;
  contactSubscribed: boolean | null;
  /** null when `vars` is set */
  contactData: Record<string, unknown> | null;
  acceptedSubscribed: boolean | null;
  /** its address, or that of its contact now */
  suppressed: boolean;
  /** its address is another person's, who has opted out if `otherOptedOut` */
  toOther: boolean;
  otherOptedOut: boolean;
  /** the contact, or that person, does not receive its topic */
  topicOff: boolean;
  /** it is from the sandbox sender, which may not send to this address */
  outsideSandbox: boolean;
  /** it is from the sandbox sender to the owner, who has not proven that address: the message says what it is, and few are sent a day */
  unprovenOwner: UnprovenOwner | null;
  /** that day's emails to this owner have been given to others */
  isBeyondSandbox: boolean;
  /** no email is sent to such an address, which an earlier version has stored */
  invalid: boolean;
  /** an earlier attempt may have delivered it */
  uncertain: boolean;
  /** null unless it is one of several emails with one message */
  shared: StoredShared | null;
  /** what its contact names as its zone, '' for nothing; null for an email outside of the limits per contact */
  limitedIn: string | null;
  /** what these limits make of it; null when it may go */
  limited: BatchResult | null;
  /** when it was due, by the monotonic clock of this process */
  dueAt: number;
  /** until when it may begin, by the monotonic clock of this process; null for any time */
  beginsBefore: number | null;
}

export interface ClaimedBatch extends BatchKey {
  projectId: string;
  campaignId: string | null;
  domainId: string | null;
  domainExists: boolean;
  /** only the local mailbox has verified it, and email would go to another server */
  domainIsLocal: boolean;
  /** of the request that it is of, if that is sampled */
  trace: Uint8Array | null;
  firstAnsweredAt: Date | null;
  /** milliseconds since `firstAnsweredAt` by the database's clock; null before the first answer */
  answeredForMs: number | null;
  /** number of positions, emails that are settled already included */
  total: number;
  stopped: boolean;
  /** null outside of campaigns; a deleted campaign counts as cancelled */
  campaignStatus: string | null;
  campaignPaused: boolean;
  projectDisabled: boolean;
  /** its email never leaves */
  isTest: boolean;
  projectDeleted: boolean;
  /** null without limits per contact */
  contactLimits: ContactLimits | null;
  timeZone: string | null;
  /** when its emails were first due and the present time, in milliseconds since 1970 by the database's clock */
  firstDueAt: number;
  readAt: number;
  leaseLeftMs: number;
  /** what is to be sent, in the order of n; positions without an email are settled already (outcome `gone`) */
  emails: ClaimedEmail[];
}

/** One more than what `zoneOfContact` reads. */
const longestZone = 65;

/** Separators of fields and of emails: control characters, which JSON escapes, and which are replaced in addresses and names. */
const separated = (column: string): Prisma.Sql => constant(`translate(${column}, E'\\x1e\\x1f', '  ')`);

interface BatchRow extends Omit<ClaimedBatch, 'emails'> {
  /** all emails as one text, which costs both sides less than rows or JSON */
  emails: string | null;
  priority: number;
  dueForMs: number;
}

const storedAddress = { project: constant('b."projectId"'), address: constant('e."to"') };
const contactAddress = { project: constant('b."projectId"'), address: constant('c."email"') };

/** Whether the topic of the email `e` is off; its topic is the row with this alias, whose columns are null without one. */
const topicOff = (alias: string): Prisma.Sql => {
  const topic = { number: constant(`${alias}."number"`), isIn: constant(`${alias}."isIn"`) };
  const type = constant('e."type"');
  const off = constant('o."topicsOff"');
  const ofOther = Prisma.sql`EXISTS (SELECT FROM "Contact" o WHERE o."projectId" = b."projectId" AND o."email" = e."to"
    AND CASE WHEN ${type} = 'TRANSACTIONAL' THEN ${declines(off, topic)} ELSE ${declines(off, orGeneral(topic))} END)`;
  return Prisma.sql`CASE WHEN e."toOther" THEN ${ofOther} ELSE ${isTopicOff({ type, choices: choicesOf('c'), topic })} END`;
};

const topicOfContent = (content: string): Prisma.Sql =>
  constant(
    `SELECT k."id", t."number", t."default" = 'IN' AS "isIn" FROM "Content" k LEFT JOIN "Topic" t ON t."id" = k."topicId" AND t."projectId" = k."projectId" WHERE k."id" = ${content}`,
  );

const fields = [
  constant('u.n - 1'),
  constant('e."id"'),
  separated('e."to"'),
  separated('e."toName"'),
  constant('e."type"'),
  constant('e."sourceType"'),
  constant('e."contentId"'),
  constant('e."vars"::text'),
  constant('e."tracked"::int'),
  constant('e."attempts"'),
  constant('e."contactId"'),
  // The usual case, shorter.
  Prisma.sql`CASE WHEN c."email" = e."to" THEN '=' ELSE ${separated('c."email"')} END`,
  constant('c."subscribed"::int'),
  constant('CASE WHEN e."vars" IS NULL THEN c."data"::text END'),
  constant('e."acceptedSubscribed"::int'),
  Prisma.sql`(${isSuppressed(storedAddress)}
    OR CASE WHEN NOT e."toOther" AND c."email" <> e."to" THEN ${isSuppressed(contactAddress)} ELSE false END)::int`,
  constant('e."toOther"::int'),
  Prisma.sql`CASE WHEN e."toOther" THEN (${hasOptedOut(storedAddress)})::int END`,
  // All emails of a batch have one content, whose topic is looked up once.
  Prisma.sql`CASE WHEN CASE WHEN e."contentId" = bt."id" THEN ${topicOff('bt')}
    ELSE (SELECT ${topicOff('et')} FROM (${topicOfContent('e."contentId"')}) et) END THEN 1 END`,
  Prisma.sql`CASE WHEN b."domainId" IS NULL AND e."sourceType" <> 'SYSTEM' THEN ${sandboxState(storedAddress)} END`,
  constant('(e."uncertainAt" IS NOT NULL)::int'),
  constant('e."sharedMessageId"'),
  // A campaign has its own answer, also where its content was copied from a template.
  Prisma.sql`CASE WHEN p."contactLimits" IS NOT NULL AND e."type" <> 'TRANSACTIONAL' AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND NOT e."toOther"
    AND NOT coalesce(CASE WHEN b."campaignId" IS NOT NULL THEN (SELECT "exemptFromLimits" FROM "Campaign" WHERE "id" = b."campaignId")
      ELSE (SELECT "exemptFromLimits" FROM "Template" WHERE "id" = e."templateId") END, false)
    THEN '=' || coalesce(left(${separated(`c."data" ->> 'timezone'`)}, ${constant(longestZone)}), '') END`,
];

const read = prepared<{ ids: string[]; tokens: string[]; takesLocal: boolean }>(
  'read-batches',
  ({ ids, tokens, takesLocal }) => Prisma.sql`
SELECT b."id", b."token", b."projectId", b."campaignId", b."domainId", b."priority", b."trace", b."firstAnsweredAt",
  extract(epoch FROM clock_timestamp() - b."firstAnsweredAt")::float8 * 1000 AS "answeredForMs",
  EXISTS (SELECT FROM "Domain" WHERE "id" = b."domainId") AS "domainExists",
  NOT ${takesLocal}::boolean AND EXISTS (SELECT FROM "Domain" WHERE "id" = b."domainId" AND "verifiedBy" = 'LOCAL_MAILBOX') AS "domainIsLocal",
   cardinality(b."emailIds") AS total, b."stopped",
  CASE WHEN b."campaignId" IS NOT NULL THEN coalesce((SELECT "status"::text FROM "Campaign" WHERE "id" = b."campaignId"), 'CANCELLED') END AS "campaignStatus",
  b."campaignId" IS NOT NULL AND ${isPaused('b')} AS "campaignPaused",
  coalesce(p."disabled", false) AS "projectDisabled", coalesce(p."environment" = 'TEST', false) AS "isTest", p."id" IS NULL OR p."deletedAt" IS NOT NULL AS "projectDeleted",
  p."contactLimits", p."timezone" AS "timeZone", extract(epoch FROM coalesce(b."heldSince", b."nextAttemptAt"))::float8 * 1000 AS "firstDueAt",
  extract(epoch FROM clock_timestamp())::float8 * 1000 AS "readAt",
  extract(epoch FROM clock_timestamp() - b."nextAttemptAt")::float8 * 1000 AS "dueForMs",
  extract(epoch FROM b."leaseUntil" - clock_timestamp())::float8 * 1000 AS "leaseLeftMs",
  (SELECT string_agg(concat(${Prisma.join(fields, ", E'\\x1f', ")}), E'\\x1e' ORDER BY u.n)
    FROM unnest(b."emailIds") WITH ORDINALITY AS u("id", n)
    CROSS JOIN LATERAL (SELECT * FROM "Email" WHERE ${byKey('"id"', 'u."id"')} AND "batchId" = b."id" AND "status" IN ('PENDING', 'UNCERTAIN')) e
    LEFT JOIN LATERAL (SELECT "email", "subscribed", "topicsOn", "topicsOff", "topicDefaults", "data" FROM "Contact" WHERE ${byKey('"id"', 'e."contactId"')}) c ON true) AS emails
FROM unnest(${ids}::uuid[], ${tokens}::uuid[]) AS k("id", "token")
CROSS JOIN LATERAL (SELECT * FROM "DeliveryBatch" WHERE ${byBatchKey('', 'k')}) b
LEFT JOIN LATERAL (${topicOfContent('(SELECT "contentId" FROM "Email" WHERE "id" = b."emailIds"[1])')}) bt ON true
LEFT JOIN LATERAL (SELECT "id", "disabled", "deletedAt", "environment", "contactLimits", "timezone" FROM "Project" WHERE ${byKey('"id"', 'b."projectId"')}) p ON true`,
);

/**
 * Reads claimed batches after the commit of their claim, so that every change committed before (an opt-out, a cancelled campaign) is seen.
 * Batches that the token does not hold are missing.
 *
 * @param takesLocal whether email goes to the local mailbox, so that domains count that nothing else has verified
 */
export async function readBatches(
  client: PoolClient,
  batches: readonly BatchKey[],
  takesLocal = false,
): Promise<ClaimedBatch[]> {
  const ids = batches.map(({ id }) => id);
  const tokens = batches.map(({ token }) => token);
  const { rows } = await client.query<BatchRow>(read({ ids, tokens, takesLocal }));
  const readAt = performance.now();
  const claimed = rows.map((row) => ({
    ...row,
    emails:
      row.emails === null
        ? []
        : row.emails.split('\x1e').map((text) => emailOf(text, row, readAt - row.dueForMs)),
  }));
  const sharing = claimed.flatMap(({ emails }) =>
    emails.filter(({ sharedMessageId }) => sharedMessageId !== ''),
  );
  if (sharing.length > 0) await addShared(client, sharing);
  return claimed;
}

/** Plain email takes no second statement. */
async function addShared(client: PoolClient, emails: readonly ReadEmail[]): Promise<void> {
  const messages = await readShared(
    client,
    emails.map(({ sharedMessageId }) => sharedMessageId),
  );
  for (const email of emails) {
    email.shared = messages.get(email.sharedMessageId) ?? null;
    // What the message says was erased with its first recipient.
    if (!email.shared?.contactId) email.contactId = null;
  }
}

type ReadEmail = ClaimedEmail & { sharedMessageId: string };

function emailOf(
  text: string,
  { projectId, campaignId, domainId, priority }: BatchRow,
  dueAt: number,
): ReadEmail {
  const [
    n = '',
    id = '',
    to = '',
    toName = '',
    type = '',
    sourceType = '',
    contentId = '',
    vars = '',
    tracked = '',
    attempts = '',
    contactId = '',
    contactEmail = '',
    contactSubscribed = '',
    contactData = '',
    acceptedSubscribed = '',
    suppressed = '',
    toOther = '',
    otherOptedOut = '',
    topicOff = '',
    sandboxState = '',
    uncertain = '',
    sharedMessageId = '',
    limitedIn = '',
  ] = text.split('\x1f');
  const address = normalizeAddress(to);
  return {
    n: Number(n),
    id,
    projectId,
    campaignId,
    domainId,
    priority,
    to: address ?? to,
    toName: toName || null,
    type: type as EmailClass,
    sourceType: sourceType as EmailSource,
    contentId,
    vars: jsonOf(vars),
    tracked: tracked === '1',
    attempts: Number(attempts),
    contactId: contactId || null,
    contactEmail: contactEmail === '=' ? to : contactEmail || null,
    contactSubscribed: flagOf(contactSubscribed),
    contactData: jsonOf(contactData),
    acceptedSubscribed: flagOf(acceptedSubscribed),
    suppressed: suppressed === '1',
    toOther: toOther === '1',
    otherOptedOut: otherOptedOut === '1',
    topicOff: topicOff === '1',
    outsideSandbox: sandboxState === '1',
    unprovenOwner: unprovenOwnerOf(sandboxState),
    isBeyondSandbox: false,
    invalid: address === null,
    uncertain: uncertain === '1',
    sharedMessageId,
    shared: null,
    limitedIn: limitedIn === '' ? null : limitedIn.slice(1),
    limited: null,
    dueAt,
    beginsBefore: null,
  };
}

function unprovenOwnerOf(sandboxState: string): UnprovenOwner | null {
  // Of nearly every email it is empty, or a flag.
  if (sandboxState.length < 2) return null;
  const [id = '', language] = sandboxState.split(' ');
  return language === undefined ? null : { id, language: language as MailLanguage };
}

const jsonOf = (text: string): Record<string, unknown> | null => (text === '' ? null : JSON.parse(text));
const flagOf = (text: string): boolean | null => (text === '' ? null : text === '1');
