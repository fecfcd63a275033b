import { Prisma, prepared } from '@postrider/core/base/db';
import type { Pool } from 'pg';

/** What every request needs: the key by its hash, the state of the project, and the counter of its request window. */
const gateSql = `
  WITH project AS (
    SELECT "id", "name", "disabled", "language", "tracking" FROM "Project" WHERE "secretKeyHash" = $1 AND "deletedAt" IS NULL
  ), counted AS (
    INSERT INTO "RateWindow" AS w ("projectId", "keyType", "windowStart", "count")
    SELECT "id", 'secret', now(), 1 FROM project
    ON CONFLICT ("projectId", "keyType") DO UPDATE SET
      "count" = CASE WHEN w."windowStart" + interval '60 s' <= now() THEN 1 ELSE w."count" + 1 END,
      "windowStart" = CASE WHEN w."windowStart" + interval '60 s' <= now() THEN now() ELSE w."windowStart" END
    RETURNING "count"
  )
  SELECT project.*, counted."count" FROM project, counted`;

/** The values of one statement that writes contact, content, email and delivery. The sender must be verified and the address not suppressed. */
export interface OneEmail {
  projectId: string;
  senderDomain: string;
  contactId: string;
  address: string;
  data: string;
  contentId: string;
  contentHash: Buffer;
  subject: string;
  body: string;
  from: string;
  projectName: string;
  emailId: string;
}

const accept = prepared<OneEmail>(
  'accept',
  (mail) => Prisma.sql`
  WITH sender AS (
    SELECT "id" FROM "Domain" WHERE "projectId" = ${mail.projectId} AND "domain" = ${mail.senderDomain} AND "status" = 'VERIFIED'
  ), contact AS (
    INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
    SELECT ${mail.contactId}::uuid, ${mail.projectId}, ${mail.address}, false, ${mail.data}::jsonb FROM sender
    ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || excluded."data", "updatedAt" = now()
    RETURNING "id", "email", "data"
  ), content AS (
    INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "headers", "projectName", "attachments")
    SELECT ${mail.contentId}::uuid, ${mail.projectId}, ${mail.contentHash}::bytea, 'TRANSACTIONAL', 'TRANSACTIONAL', ${mail.subject}, ${mail.body},
      ${mail.from}, '{}', ${mail.projectName}, '[]' FROM sender
    ON CONFLICT DO NOTHING
  ), email AS (
    INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "batchId", "status")
    SELECT ${mail.emailId}::uuid, ${mail.projectId}, contact."id", contact."email", 'TRANSACTIONAL', 'TRANSACTIONAL', ${mail.contentId}::uuid, contact."data", true, ${mail.emailId}::uuid,
      CASE WHEN EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = ${mail.projectId} AND s."email" = ${mail.address}) THEN 'SKIPPED'::"EmailStatus" ELSE 'PENDING' END
    FROM contact RETURNING "id", "status"
  ), batch AS (
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "emailIds")
    SELECT email."id", ${mail.projectId}, 1, sender."id", ARRAY[email."id"] FROM email, sender WHERE email."status" = 'PENDING'
  )
  SELECT contact."id" AS "contactId", contact."email" FROM contact`,
);

export interface GateRow {
  id: string;
  name: string;
  disabled: boolean;
  count: number;
}

export async function passGate(asyncCommit: Pool, keyHash: Buffer): Promise<GateRow | undefined> {
  const { rows } = await asyncCommit.query<GateRow>({ name: 'gate', text: gateSql, values: [keyHash] });
  return rows[0];
}

export async function acceptOne(
  pool: Pool,
  mail: OneEmail,
): Promise<{ contactId: string; email: string } | undefined> {
  const { rows } = await pool.query<{ contactId: string; email: string }>(accept(mail));
  return rows[0];
}
