import type { Pool } from 'pg';

/** Key by hash, project state and the counter of the request window, as every request needs them. */
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

/** Contact, content, email and delivery in one statement: the sender must be verified, the address not suppressed. */
const acceptSql = `
  WITH sender AS (
    SELECT "id" FROM "Domain" WHERE "projectId" = $1 AND "domain" = $2 AND "status" = 'VERIFIED'
  ), contact AS (
    INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
    SELECT $3::uuid, $1, $4, false, $5::jsonb FROM sender
    ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || excluded."data", "updatedAt" = now()
    RETURNING "id", "email", "data"
  ), content AS (
    INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "headers", "projectName", "attachments")
    SELECT $6::uuid, $1, $7::bytea, 'TRANSACTIONAL', 'TRANSACTIONAL', $8, $9, $10, '{}', $11, '[]' FROM sender
    ON CONFLICT DO NOTHING
  ), email AS (
    INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "status")
    SELECT $12::uuid, $1, contact."id", contact."email", 'TRANSACTIONAL', 'TRANSACTIONAL', $6::uuid, contact."data", true,
      CASE WHEN EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = $1 AND s."email" = $4) THEN 'SKIPPED'::"EmailStatus" ELSE 'PENDING' END
    FROM contact RETURNING "id", "status"
  ), delivery AS (
    INSERT INTO "Delivery" ("emailId", "projectId", "priority", "domainId")
    SELECT email."id", $1, 1, sender."id" FROM email, sender WHERE email."status" = 'PENDING'
  )
  SELECT contact."id" AS "contactId", contact."email" FROM contact`;

export interface GateRow {
  id: string;
  name: string;
  disabled: boolean;
  count: number;
}

export async function passGate(relaxed: Pool, keyHash: Buffer): Promise<GateRow | undefined> {
  const { rows } = await relaxed.query<GateRow>({ name: 'gate', text: gateSql, values: [keyHash] });
  return rows[0];
}

export async function acceptOne(
  pool: Pool,
  values: unknown[],
): Promise<{ contactId: string; email: string } | undefined> {
  const { rows } = await pool.query<{ contactId: string; email: string }>({
    name: 'accept',
    text: acceptSql,
    values,
  });
  return rows[0];
}
