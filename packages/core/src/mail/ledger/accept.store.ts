import type { Pool, QueryConfig } from 'pg';
import {
  type ContactSource,
  contactUpsertCtes,
  type PreparedChange,
  toUpsertInput,
} from '../../audience/contacts/index.ts';
import { choicesOf } from '../../audience/topics/index.ts';
import { constant, type ParametersOf, Prisma, prepared } from '../../base/db/index.ts';
import { idempotencyCheck, idempotencyCte, type KeyUse } from '../../base/idempotency/index.ts';
import { newId } from '../../base/lib/ids.ts';
import { excluded, isSimulatedAddress, type Recipient } from '../eligibility/index.ts';
import { type AppliedCaps, capCheck, isCapped } from './caps.ts';
import { type ContentValues, contentValues, insertContent } from './content.store.ts';
import type { ContentIdentity, NewContent } from './content.ts';

export interface NewRecipient {
  emailId: string;
  /** normalised */
  address: string;
  name: string | null;
  /** values of this request that are not stored on the contact */
  transient: Record<string, unknown>;
  /** of a copy, which has no contact of its own: that of the first recipient */
  copy?: 'CC' | 'BCC';
}

export interface AcceptRequest {
  changes: PreparedChange[];
  recipients: NewRecipient[];
  content: NewContent;
  blobs: { hash: Buffer; bytes: Buffer }[];
  /** whether its recipients get one message, filled in for the first of them; stored alone */
  isShared?: boolean;
  /** null for the sandbox sender */
  senderDomain: string | null;
  priority: number;
  tracked: boolean;
  templateId: string | null;
  /** null to send at once; each message of a request with a time has a batch of its own, so that one row decides when it is sent */
  scheduledAt?: Date | null;
  /** absent without any */
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  idempotency: KeyUse | null;
  /** of the request, for the process that sends it; absent unless it is sampled */
  trace?: Buffer | undefined;
  /** of the content */
  identity: ContentIdentity;
  /** what a submitted message says of itself; its message is a blob, so it is stored alone */
  submitted?: { subject: string; messageId: string | null; hasAttachments: boolean };
}

export interface AcceptedEmail {
  id: string;
  contactId: string;
  /** of the contact; that of a copy is its recipient's */
  contactEmail: string;
  /** why it is SKIPPED; null when it waits to be sent */
  reason: string | null;
}

interface AcceptValues extends ContentValues {
  contactChanges: string;
  senderDomain: string | null;
  emailIds: string[];
  addresses: string[];
  names: (string | null)[];
  transients: string[];
  tracked: boolean;
  templateId: string | null;
  tags: string[] | null;
  metadata: string | null;
  priority: number;
  /** of each email */
  batchIds: string[];
  trace: Buffer | null;
  scheduledAt: Date | null;
  emailSubject: string | null;
  messageId: string | null;
  /** usage that each email counts */
  usage: number;
  /** whether email goes to the local mailbox, so that a domain counts that nothing else has verified */
  takesLocal: boolean;
  /** `send` or `submission` */
  contactSource: ContactSource;
}

/** The parts of the statement that only some requests have. */
interface Parts {
  blob?: ParametersOf<BlobValues> | undefined;
  use?: ParametersOf<KeyUse> | undefined;
  caps?: ParametersOf<AppliedCaps> | undefined;
  shared?: ParametersOf<SharedRecipients> | undefined;
}

interface SharedRecipients {
  /** of each email: null in `To` */
  recipientTypes: (string | null)[];
}

interface BlobValues {
  blobHashes: Buffer[];
  blobBytes: Buffer[];
}

const recipientOf = ({ projectId, type }: ParametersOf<AcceptValues>, address: string) => ({
  project: Prisma.sql`${projectId}::uuid`,
  address: constant(address),
  type: Prisma.sql`${type}::"EmailClass"`,
  choices: choicesOf('c'),
  topic: { number: constant('t."number"'), isIn: constant('t."isIn"') },
});

/** The topic of the content as the row `t`; columns are null without one. */
const topicOfContent = ({ topicId, projectId }: ParametersOf<AcceptValues>): Prisma.Sql => Prisma.sql`
  "topic" AS MATERIALIZED (
  SELECT t."number", t."default" = 'IN' AS "isIn" FROM (SELECT 1) one
  LEFT JOIN "Topic" t ON t."id" = ${topicId}::uuid AND t."projectId" = ${projectId}::uuid AND NOT t."archived" AND t."deletedAt" IS NULL
)`;

/** It was archived or deleted since the request was read. */
const noSuchTopic = ({ topicId }: ParametersOf<AcceptValues>): Prisma.Sql =>
  Prisma.sql`${topicId}::uuid IS NOT NULL AND t."number" IS NULL`;

/** Why an email is not sent, or its request is refused. Transactional email is never refused: its topic is a reason to skip it. */
const decisionsOf = (value: ParametersOf<AcceptValues>, recipient: Recipient) => {
  const isTransactional = Prisma.sql`${value.type}::"EmailClass" = 'TRANSACTIONAL'`;
  const topicOff = excluded.topic(recipient);
  return {
    reason: Prisma.sql`CASE WHEN ${isTransactional} AND ${topicOff} THEN 'topic' WHEN ${excluded.suppressed(recipient)} THEN 'suppressed'
      WHEN ${value.senderDomain}::text IS NULL AND ${excluded.sandbox(recipient)} THEN 'sandbox' END`,
    refused: Prisma.sql`CASE WHEN ${noSuchTopic(value)} THEN refuse('topic')
      WHEN ${excluded.unsubscribed(recipient)} THEN refuse('unsubscribed:' || c."email")
      WHEN NOT ${isTransactional} AND ${topicOff} THEN refuse('topic_off:' || c."email") END`,
  };
};

/** What the recipients of one statement are: each has a contact, and the values of its contact fill in its email. */
const recipients = (value: ParametersOf<AcceptValues>): Prisma.Sql => {
  const { reason, refused } = decisionsOf(value, recipientOf(value, 'c."email"'));
  return Prisma.sql`
  SELECT r."emailId", r."batchId", r."name", c."id" AS "contactId", c."email", c."data" || r."transient" AS "vars", c."subscribed" AS "acceptedSubscribed",
    ${reason} AS "reason", ${refused} AS "refused"
  FROM unnest(${value.emailIds}::uuid[], ${value.batchIds}::uuid[], ${value.addresses}::text[], ${value.names}::text[], ${value.transients}::jsonb[])
    AS r("emailId", "batchId", "address", "name", "transient")
  JOIN "contact" c ON c."email" = r."address" CROSS JOIN "topic" t`;
};

/** The same of a shared message: copies belong to the contact of the first recipient, whose values fill in the message of all. */
const sharing = (
  value: ParametersOf<AcceptValues>,
  { recipientTypes }: ParametersOf<SharedRecipients>,
): Prisma.Sql => {
  const recipient = recipientOf(value, 'r."address"');
  const { reason } = decisionsOf(value, { ...recipient, choices: choicesOf('o') });
  const isFirst = Prisma.sql`r."emailId" = (${value.emailIds}::uuid[])[1]`;
  return Prisma.sql`
  SELECT r."emailId", r."batchId", r."name", c."id" AS "contactId", r."address" AS "email", r."recipientType",
    CASE WHEN ${isFirst} THEN c."data" || r."transient" END AS "vars", CASE WHEN ${isFirst} THEN c."subscribed" END AS "acceptedSubscribed",
    ${reason} AS "reason",
    -- Everybody gets what is transactional.
    CASE WHEN ${noSuchTopic(value)} THEN refuse('topic') END AS "refused"
  FROM unnest(${value.emailIds}::uuid[], ${value.batchIds}::uuid[], ${value.addresses}::text[], ${value.names}::text[], ${value.transients}::jsonb[],
    ${recipientTypes}::"EmailRecipientType"[]) AS r("emailId", "batchId", "address", "name", "transient", "recipientType")
  JOIN "contact" c ON c."email" = CASE WHEN r."recipientType" IS NULL THEN r."address" ELSE (${value.addresses}::text[])[1] END
  -- Of a copy, the person at its address has the say.
  LEFT JOIN "Contact" k ON r."recipientType" IS NOT NULL AND k."projectId" = ${value.projectId}::uuid AND k."email" = r."address"
  CROSS JOIN LATERAL (SELECT CASE WHEN r."recipientType" IS NULL THEN c."topicsOff" ELSE k."topicsOff" END AS "topicsOff",
    c."subscribed", c."topicsOn", c."topicDefaults") o
  CROSS JOIN "topic" t`;
};

/** Columns that only emails of a shared message have, and their values. All are told apart by their ids, and have one `Message-ID`. */
const sharedColumns = ({ emailIds, from }: ParametersOf<AcceptValues>) => {
  const first = Prisma.sql`(${emailIds}::uuid[])[1]`;
  return {
    names: Prisma.sql`, "recipientType", "toOther", "sharedMessageId"`,
    values: Prisma.sql`, "recipientType", "recipientType" IS NOT NULL, ${first}`,
    messageId: Prisma.sql`CASE WHEN "emailId" <> ${first} THEN '<' || ${first} || '@' || split_part(${from}::text, '@', 2) || '>' END`,
  };
};

const acceptSql = (value: ParametersOf<AcceptValues>, { blob, use, caps, shared }: Parts): Prisma.Sql => {
  const own = shared && sharedColumns(value);
  return Prisma.sql`
WITH ${contactUpsertCtes(
    { project: value.projectId, changes: value.contactChanges, defaultSubscribed: false },
    { source: Prisma.sql`${value.contactSource}::text` },
  )}, ${topicOfContent(value)},
"sender" AS (
  SELECT "id" FROM "Domain"
  WHERE "projectId" = ${value.projectId}::uuid AND "domain" = ${value.senderDomain}::text AND "status" = 'VERIFIED'
    AND (${value.takesLocal}::boolean OR "verifiedBy" IS DISTINCT FROM 'LOCAL_MAILBOX')
  UNION ALL SELECT NULL WHERE ${value.senderDomain}::text IS NULL
), "content" AS (${insertContent(value)}
), "recipient" AS (${shared ? sharing(value, shared) : recipients(value)}
), "email" AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toName", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
    "acceptedSubscribed", "subject", "messageId", "tags", "metadata", "scheduledAt", "status", "reason", "batchId"${own ? own.names : Prisma.empty})
  SELECT "emailId", ${value.projectId}::uuid, "contactId", "email", "name", ${value.type}::"EmailClass", ${value.sourceType}::"EmailSource",
    ${value.id}::uuid, "vars", ${value.tracked}::boolean, ${value.templateId}::uuid,
    "acceptedSubscribed", ${value.emailSubject}::text, ${own ? own.messageId : Prisma.sql`${value.messageId}::text`}, ${value.tags}::text[], ${value.metadata}::jsonb, ${value.scheduledAt}::timestamptz,
    CASE WHEN "reason" IS NOT NULL THEN 'SKIPPED'::"EmailStatus" ELSE 'PENDING' END, "reason", CASE WHEN "reason" IS NULL THEN "batchId" END${own ? own.values : Prisma.empty}
  FROM "recipient" WHERE "refused" IS NULL
), "tagged" AS (
  INSERT INTO "EmailTag" ("projectId", "tag", "emailId")
  SELECT ${value.projectId}::uuid, t."tag", "emailId" FROM "recipient" CROSS JOIN unnest(${value.tags}::text[]) AS t("tag") WHERE "refused" IS NULL
), "batch" AS (
  INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "nextAttemptAt", "trace", "emailIds")
  SELECT "batchId", ${value.projectId}::uuid, ${value.priority}::smallint, (SELECT "id" FROM "sender"),
    coalesce(${value.scheduledAt}::timestamptz, now()), ${value.trace}::bytea, array_agg("emailId")
  FROM "recipient" WHERE "reason" IS NULL GROUP BY "batchId"
)${
    blob
      ? Prisma.sql`, "blob" AS (
  INSERT INTO "Blob" ("projectId", "hash", "size", "bytes")
  SELECT ${value.projectId}::uuid, b.hash, octet_length(b.bytes), b.bytes
  FROM unnest(${blob.blobHashes}::bytea[], ${blob.blobBytes}::bytea[]) AS b(hash, bytes)
  ON CONFLICT DO NOTHING
)`
      : Prisma.empty
  }${use ? Prisma.sql`, ${idempotencyCte(value.projectId, use, { emailIds: Prisma.sql`${value.emailIds}` })}` : Prisma.empty}
SELECT "emailId" AS id, "contactId", "email" AS "contactEmail", "reason",
  -- Recipients are refused before the sender, whichever of them comes first.
  (SELECT count("refused") FROM "recipient") AS refused,
  CASE WHEN NOT EXISTS (SELECT FROM "sender") THEN refuse('sender') END AS a${
    use ? Prisma.sql`, ${idempotencyCheck} AS b` : Prisma.empty
  }${
    caps
      ? Prisma.sql`, ${capCheck(caps, {
          project: value.projectId,
          source: value.sourceType,
          emails: Prisma.sql`(SELECT (count(*) FILTER (WHERE "reason" IS NULL AND NOT ${isSimulatedAddress(constant('"email"'))}))::int FROM "recipient")`,
          usage: value.usage,
          latest: Prisma.sql`${value.scheduledAt}::timestamptz`,
        })} AS c`
      : Prisma.empty
  }
FROM "recipient"`;
};

/** The statement includes blobs, an idempotency key and the caps only when the request has them. */
const acceptStatements = <Values extends AcceptValues>(
  suffix: string,
  capsOf: (values: ParametersOf<Values>) => Parts,
) => ({
  plain: prepared<Values>(`accept-false-false${suffix}`, (value) => acceptSql(value, capsOf(value))),
  blobs: prepared<Values & BlobValues>(`accept-true-false${suffix}`, (value) =>
    acceptSql(value, { ...capsOf(value), blob: value }),
  ),
  once: prepared<Values & KeyUse>(`accept-false-true${suffix}`, (value) =>
    acceptSql(value, { ...capsOf(value), use: value }),
  ),
  blobsOnce: prepared<Values & BlobValues & KeyUse>(`accept-true-true${suffix}`, (value) =>
    acceptSql(value, { ...capsOf(value), blob: value, use: value }),
  ),
});

const accept = {
  uncapped: acceptStatements<AcceptValues>('', () => ({})),
  capped: acceptStatements<AcceptValues & AppliedCaps>('-capped', (caps) => ({ caps })),
};

const acceptShared = {
  uncapped: acceptStatements<AcceptValues & SharedRecipients>('-shared', (shared) => ({ shared })),
  capped: acceptStatements<AcceptValues & SharedRecipients & AppliedCaps>('-shared-capped', (values) => ({
    shared: values,
    caps: values,
  })),
};

/**
 * Stores a send atomically: contacts, content, emails with their delivery batch, events and the idempotency row in one statement.
 * Without caps it updates no row that other requests share. Most requests are stored in groups (accept-group.store.ts); this statement is for
 * those that are too large for a group, or have to wait for a contact.
 *
 * @param caps those that it may exceed
 * @param takesLocal whether email goes to the local mailbox
 * @throws an error of SQLSTATE PR001 whose message names the violated rule
 */
export async function acceptSend(
  pool: Pool,
  request: AcceptRequest,
  caps: AppliedCaps = { billed: false, ramp: null },
  takesLocal = false,
): Promise<AcceptedEmail[]> {
  const { rows } = await pool.query<AcceptedEmail>(acceptStatement(request, caps, takesLocal));
  return rows;
}

/** @see acceptSend */
export function acceptStatement(request: AcceptRequest, caps: AppliedCaps, takesLocal: boolean): QueryConfig {
  const { recipients, blobs, idempotency, content, identity, changes, senderDomain } = request;
  const {
    tracked,
    templateId,
    priority,
    submitted,
    tags,
    metadata,
    scheduledAt = null,
    trace = null,
  } = request;
  const batchId = newId();
  const hasAttachments = submitted?.hasAttachments ?? blobs.length > 0;
  const values: AcceptValues = {
    ...contentValues(content, identity),
    contactChanges: toUpsertInput(changes),
    senderDomain,
    emailIds: recipients.map(({ emailId }) => emailId),
    addresses: recipients.map(({ address }) => address),
    names: recipients.map(({ name }) => name),
    transients: recipients.map(({ transient }) => JSON.stringify(transient)),
    tracked,
    templateId,
    tags: tags ? [...tags] : null,
    metadata: metadata ? JSON.stringify(metadata) : null,
    priority,
    batchIds: recipients.map(() => (scheduledAt && !request.isShared ? newId() : batchId)),
    scheduledAt,
    trace,
    emailSubject: submitted?.subject ?? null,
    messageId: submitted?.messageId ?? null,
    // An email with attachments counts 2.
    usage: hasAttachments ? 2 : 1,
    takesLocal,
    contactSource: submitted ? 'submission' : 'send',
  };
  if (request.isShared) {
    const sharedValues = { ...values, recipientTypes: recipients.map(({ copy }) => copy ?? null) };
    return isCapped(caps)
      ? statementOf(acceptShared.capped, { ...sharedValues, ...caps }, blobs, idempotency)
      : statementOf(acceptShared.uncapped, sharedValues, blobs, idempotency);
  }
  return isCapped(caps)
    ? statementOf(accept.capped, { ...values, ...caps }, blobs, idempotency)
    : statementOf(accept.uncapped, values, blobs, idempotency);
}

function statementOf<Values extends AcceptValues>(
  statements: ReturnType<typeof acceptStatements<Values>>,
  values: Values,
  blobs: AcceptRequest['blobs'],
  idempotency: KeyUse | null,
): QueryConfig {
  if (blobs.length === 0)
    return idempotency ? statements.once({ ...values, ...idempotency }) : statements.plain(values);
  const withBlobs = {
    ...values,
    blobHashes: blobs.map(({ hash }) => hash),
    blobBytes: blobs.map(({ bytes }) => bytes),
  };
  return idempotency ? statements.blobsOnce({ ...withBlobs, ...idempotency }) : statements.blobs(withBlobs);
}
