import { systemProjectId } from '@postrider/core/people/projects';
import type { Pool, PoolClient } from 'pg';

/** What is stored for a kind of old data: that many rows whose retention has ended, and as many that stay. */
export type Fill = (db: PoolClient, context: { projectId: string; rows: number }) => Promise<unknown>;

const days = (n: number): string => `now() - interval '${n} days'`;
/** Of two rows with one number the first is old. */
const oldOrNew = (old: string): string => `CASE WHEN old THEN ${old} ELSE now() END`;
const numbers =
  '(SELECT n, old FROM generate_series(1, $2::int) n CROSS JOIN (VALUES (true), (false)) AS v(old)) r';

const emails =
  (source: string, kept: number): Fill =>
  (db, { projectId, rows }) =>
    db.query(
      `WITH content AS (
         INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "projectName", "createdAt")
         SELECT uuid7(), $1::uuid, sha256(convert_to($3 || n || old, 'UTF8')), 'TRANSACTIONAL', $3::"EmailSource", 'Your order ' || n,
           '<p>Thank you for order ' || n || '. <a href="https://shop.test/orders/' || n || '">See it</a> or <a href="https://shop.test/help">ask us</a>.</p>' || repeat('<p>A line of the order.</p>', 20),
           'hello@sender.test', 'Bench', ${oldOrNew(days(kept))}
         FROM ${numbers} RETURNING "id", "projectId", "createdAt", "subject")
       INSERT INTO "Email" ("id", "projectId", "to", "type", "sourceType", "contentId", "subject", "status", "sentAt", "createdAt", "updatedAt")
       SELECT uuid7(), "projectId", 'p@people.test', 'TRANSACTIONAL', $3::"EmailSource", "id", "subject", 'SENT', "createdAt", "createdAt", "createdAt" FROM content`,
      [source === 'SYSTEM' ? systemProjectId : projectId, rows, source],
    );

/** By the name of a kind, as the worker has it. */
export const fills: Readonly<Record<string, Fill>> = {
  'audit log': (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "AuditLog" ("id", "projectId", "operation", "actorType", "requestId", "createdAt")
       SELECT uuid7(), $1, 'templates.update', 'user', 'r' || n, ${oldOrNew(days(1_500))} FROM ${numbers}`,
      [projectId, rows],
    ),
  'idempotency keys': (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "IdempotencyKey" ("projectId", "key", "request", "statusCode", "emailIds", "createdAt")
       SELECT $1, 'key-' || n || old, md5(n::text), 200, ARRAY[uuid7()], ${oldOrNew(days(3))} FROM ${numbers}`,
      [projectId, rows],
    ),
  'limits of public pages': (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "PublicAttempt" ("scope", "key", "startsAt", "projectId", "expiresAt")
       SELECT 'form', decode(md5(n || old::text), 'hex'), ${days(2)}, $1, ${oldOrNew(days(1))} + interval '1 hour' FROM ${numbers}`,
      [projectId, rows],
    ),
  'sign-in limits': (db, { rows }) =>
    db.query(
      `INSERT INTO "AuthAttempt" ("key", "count", "windowStart") SELECT 'k' || n || old, 1, ${oldOrNew(days(2))} FROM ${numbers.replace('$2', '$1')}`,
      [rows],
    ),
  submissions: (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "FormSubmission" ("id", "projectId", "email", "createdAt")
       SELECT uuid7(), $1, 'p' || n || '@people.test', ${oldOrNew(days(3))} FROM ${numbers}`,
      [projectId, rows],
    ),
  attachments: (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "Blob" ("projectId", "hash", "size", "bytes", "keptUntil")
       SELECT $1, sha256(convert_to('b' || n || old, 'UTF8')), 1000, decode(repeat(md5(n::text), 31), 'hex'), CASE WHEN old THEN ${days(1)} ELSE now() + interval '2 days' END FROM ${numbers}`,
      [projectId, rows],
    ),
  contents: emails('TRANSACTIONAL', 120),
  // Half of them with a content and a tag of their own, half of one campaign; each was opened.
  emails: async (db, { projectId, rows }) => {
    await db.query(
      `WITH content AS (
         INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "from", "projectName", "createdAt")
         SELECT uuid7(), $1::uuid, sha256(convert_to('e' || n || old, 'UTF8')), 'TRANSACTIONAL', 'TRANSACTIONAL', 'Your order ' || n, 'hello@sender.test', 'Bench', ${oldOrNew(days(500))}
         FROM ${numbers} WHERE n % 2 = 0 RETURNING "id", "createdAt", "subject")
       INSERT INTO "Email" ("id", "projectId", "to", "type", "sourceType", "contentId", "subject", "tags", "status", "sentAt", "createdAt", "updatedAt")
       SELECT uuid7(), $1::uuid, 'p@people.test', 'TRANSACTIONAL', 'TRANSACTIONAL', "id", "subject", '{order}', 'OPENED', "createdAt", "createdAt", "createdAt" FROM content`,
      [projectId, rows],
    );
    await db.query(
      `WITH campaign AS (
         INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "status", "audienceType", "totalRecipients", "frozenAt", "textReads", "updatedAt")
         VALUES (uuid7(), $1::uuid, 'Spring', 'Spring', '<p>Spring</p>', 'hello@sender.test', 'SENT', 'ALL', $2::int, now(), '{}', now()) RETURNING "id"),
       content AS (
         INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "from", "projectName", "createdAt")
         SELECT uuid7(), $1::uuid, sha256('spring'), 'MARKETING', 'CAMPAIGN', 'Spring', 'hello@sender.test', 'Bench', ${days(500)} RETURNING "id")
       INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "campaignId", "status", "sentAt", "createdAt", "updatedAt")
       SELECT uuid7(), $1::uuid, uuid7(), 'p' || n || '@people.test', sha256(convert_to('p' || n || old, 'UTF8')), 'MARKETING', 'CAMPAIGN', content."id", campaign."id", 'OPENED', at, at, at
       FROM content, campaign, (SELECT n, old, ${oldOrNew(days(500))} AS at FROM ${numbers} WHERE n % 2 = 1) e`,
      [projectId, rows],
    );
    await db.query(
      `INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "at")
       SELECT uuid7(), $1, "id", 'open', "createdAt" FROM "Email" WHERE "projectId" = $1`,
      [projectId],
    );
    await db.query(
      `INSERT INTO "EmailTag" ("projectId", "tag", "createdAt", "emailId")
       SELECT $1, 'order', "createdAt", "id" FROM "Email" WHERE "projectId" = $1 AND "tags" <> '{}'`,
      [projectId],
    );
  },
  'consent of deleted contacts': (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "ConsentAct" ("seq", "projectId", "addressHash", "action", "effect", "source", "actor", "at", "recordedAt")
       SELECT nextval('"ConsentSeq"'), $1, sha256(convert_to('a' || n || old, 'UTF8')), 'unsubscribe', 'changed', 'page', 'recipient', ${oldOrNew(days(1_300))}, ${oldOrNew(days(1_300))} FROM ${numbers}`,
      [projectId, rows],
    ),
  'limits per contact': (db, { projectId, rows }) =>
    db.query(
      `WITH person AS (
         INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1, 'c' || n || old || '@people.test' FROM ${numbers} RETURNING "id", "email")
       INSERT INTO "ContactLimit" ("contactId", "projectId", "sent", "waiting")
       SELECT "id", $1, jsonb_build_object(uuid7()::text, CASE WHEN "email" LIKE '%true@%' THEN 1000 ELSE extract(epoch FROM now()) * 1000 END), '{}' FROM person`,
      [projectId, rows],
    ),
  notices: (db, { rows }) =>
    db.query(
      `INSERT INTO "ProviderNotice" ("id", "createdAt") SELECT 'n' || n || old, ${oldOrNew(days(120))} FROM ${numbers.replace('$2', '$1')}`,
      [rows],
    ),
  'messages of test projects': (db, { projectId, rows }) =>
    db.query(
      `INSERT INTO "MessageSource" ("emailId", "projectId", "size", "bytes", "createdAt")
       SELECT uuid7(), $1, 1000, decode(repeat(md5(n::text), 31), 'hex'), ${oldOrNew(days(9))} FROM ${numbers}`,
      [projectId, rows],
    ),
  'platform email': emails('SYSTEM', 40),
  'webhook deliveries': (db, { projectId, rows }) =>
    db.query(
      `WITH endpoint AS (
         INSERT INTO "WebhookEndpoint" ("id", "projectId", "url", "types", "secretCipher") VALUES (uuid7(), $1, 'https://shop.test/hook', '{email.sent}', 'x') RETURNING "id")
       INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "status", "nextAttemptAt", "createdAt")
       SELECT uuid7(), $1, endpoint."id", 'email.sent', jsonb_build_object('emailId', n), 'DELIVERED', NULL, ${oldOrNew(days(31))} FROM endpoint, ${numbers}`,
      [projectId, rows],
    ),
  executions: async (db, { projectId, rows }) => {
    await db.query(
      `WITH workflow AS (
         INSERT INTO "Workflow" ("id", "projectId", "name", "triggerType", "updatedAt") VALUES (uuid7(), $1, 'Bench', 'EVENT', now()) RETURNING "id")
       INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "dueAt", "completedAt", "createdAt", "startedAt")
       SELECT uuid7(), $1, workflow."id", uuid7(), 'COMPLETED', NULL, ${oldOrNew(days(420))}, ${oldOrNew(days(421))}, ${oldOrNew(days(421))} FROM workflow, ${numbers}`,
      [projectId, rows],
    );
    await db.query(
      `INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "completedAt", "createdAt")
       SELECT uuid7(), $1, x."id", s."id", 'COMPLETED', x."completedAt", x."createdAt" FROM "WorkflowExecution" x CROSS JOIN (SELECT uuid7() AS "id" FROM generate_series(1, 5)) s
       WHERE x."projectId" = $1`,
      [projectId],
    );
  },
};

/** Without triggers and foreign keys: rows of years are written in seconds. */
export async function fill(
  db: Pool,
  kind: Fill,
  context: { projectId: string; rows: number },
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await kind(client, context);
  } finally {
    client.release(true);
  }
  await db.query('VACUUM ANALYZE');
}
