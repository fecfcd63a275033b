import type { Pool } from 'pg';
import { contactUpsertCtes } from '../../contacts/index.ts';
import type { EmailClass, EmailSource } from '../../db/index.ts';
import { idempotencyCte } from '../../idempotency/index.ts';
import type { NewContent } from '../content.rules.ts';

export interface NewRecipient {
  emailId: string;
  /** normalised */
  address: string;
  name: string | null;
  /** values of this request that are not stored on the contact */
  transient: Record<string, unknown>;
}

export interface AcceptRequest {
  projectId: string;
  /** value of `contactUpsertInput` */
  contactChanges: string;
  recipients: NewRecipient[];
  content: NewContent & { id: string; hash: Buffer };
  blobs: { hash: Buffer; bytes: Buffer }[];
  senderDomain: string;
  type: EmailClass;
  sourceType: EmailSource;
  priority: number;
  tracked: boolean;
  templateId: string | null;
  idempotency: { key: string; request: string; statusCode: number; ttlHours: number } | null;
}

export interface AcceptedEmail {
  id: string;
  contactId: string;
  contactEmail: string;
}

const statement = (withBlobs: boolean, withIdempotency: boolean): string => `
WITH ${contactUpsertCtes({ project: '$1', changes: '$2', defaultSubscribed: 'false' }, 'api')},
"sender" AS (
  SELECT "id" FROM "Domain" WHERE "projectId" = $1::uuid AND "domain" = $3 AND "status" = 'VERIFIED'
), "content" AS (
  INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "fromName", "replyTo", "headers",
    "projectName", "language", "attachments")
  VALUES ($4::uuid, $1::uuid, $5::bytea, $6::"EmailClass", $7::"EmailSource", $8, $9, $10, $11, $12, $13::jsonb, $14, $15, $16::jsonb)
  ON CONFLICT DO NOTHING
), "recipient" AS (
  SELECT r."emailId", r."name", c."id" AS "contactId", c."email", c."data" || r."transient" AS "vars",
    EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = $1::uuid AND s."email" = c."email") AS "suppressed",
    CASE WHEN $6::"EmailClass" <> 'TRANSACTIONAL' AND NOT c."subscribed" THEN refuse('unsubscribed:' || c."email") END AS "refused"
  FROM unnest($17::uuid[], $18::text[], $19::text[], $20::jsonb[]) AS r("emailId", "address", "name", "transient")
  JOIN "contact" c ON c."email" = r."address"
), "email" AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toName", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
    "status", "reason")
  SELECT "emailId", $1::uuid, "contactId", "email", "name", $6::"EmailClass", $7::"EmailSource", $4::uuid, "vars", $21::boolean, $22::uuid,
    CASE WHEN "suppressed" THEN 'SKIPPED'::"EmailStatus" ELSE 'PENDING' END, CASE WHEN "suppressed" THEN 'suppressed' END
  FROM "recipient" WHERE "refused" IS NULL
), "delivery" AS (
  INSERT INTO "Delivery" ("emailId", "projectId", "priority", "domainId")
  SELECT "emailId", $1::uuid, $23::smallint, (SELECT "id" FROM "sender") FROM "recipient" WHERE NOT "suppressed"
)${
  withBlobs
    ? `, "blob" AS (
  INSERT INTO "Blob" ("projectId", "hash", "size", "bytes")
  SELECT $1::uuid, b.hash, octet_length(b.bytes), b.bytes FROM unnest($24::bytea[], $25::bytea[]) AS b(hash, bytes)
  ON CONFLICT DO NOTHING
)`
    : ''
}${
  withIdempotency
    ? `, ${idempotencyCte(
        withBlobs
          ? { project: '$1', key: '$26', request: '$27', statusCode: '$28', ttlHours: '$29' }
          : { project: '$1', key: '$24', request: '$25', statusCode: '$26', ttlHours: '$27' },
      )}`
    : ''
}
SELECT "emailId" AS id, "contactId", "email" AS "contactEmail",
  CASE WHEN NOT EXISTS (SELECT FROM "sender") THEN refuse('sender') END AS a${
    withIdempotency
      ? `,\n  CASE WHEN NOT EXISTS (SELECT FROM "idempotency") THEN refuse('idempotency') END AS b`
      : ''
  }
FROM "recipient"`;

const texts = new Map<string, string>(
  [false, true].flatMap((blobs) =>
    [false, true].map((key) => [`accept-${blobs}-${key}`, statement(blobs, key)] as const),
  ),
);

/**
 * Stores a send whole or not at all: contacts, content, emails, deliveries, events and the idempotency row in one
 * statement. It updates no row that other requests share.
 *
 * @throws an error of SQLSTATE PR001 whose message says which rule the statement found broken
 */
export async function acceptSend(pool: Pool, request: AcceptRequest): Promise<AcceptedEmail[]> {
  const { content, recipients, blobs, idempotency } = request;
  const name = `accept-${blobs.length > 0}-${idempotency !== null}`;
  const values: unknown[] = [
    request.projectId,
    request.contactChanges,
    request.senderDomain,
    content.id,
    content.hash,
    request.type,
    request.sourceType,
    content.subject,
    content.body,
    content.from,
    content.fromName,
    content.replyTo,
    JSON.stringify(content.headers),
    content.projectName,
    content.language,
    JSON.stringify(content.attachments),
    recipients.map((recipient) => recipient.emailId),
    recipients.map((recipient) => recipient.address),
    recipients.map((recipient) => recipient.name),
    recipients.map((recipient) => JSON.stringify(recipient.transient)),
    request.tracked,
    request.templateId,
    request.priority,
  ];
  if (blobs.length > 0)
    values.push(
      blobs.map((blob) => blob.hash),
      blobs.map((blob) => blob.bytes),
    );
  if (idempotency)
    values.push(idempotency.key, idempotency.request, idempotency.statusCode, idempotency.ttlHours);
  const text = texts.get(name);
  if (text === undefined) throw new Error(`no statement is named ${name}`);
  const { rows } = await pool.query<AcceptedEmail>({ name, text, values });
  return rows;
}
