import type { Pool } from 'pg';

export interface Recipient {
  id: string;
  to: string;
  contactId: string;
  name: string;
  plan: string;
}

/** Inserts the content, the campaign's counters and one email per contact, before anything is sent. */
export async function writeEmails(
  pool: Pool,
  projectId: string,
  campaignId: string,
  contentId: string,
): Promise<number> {
  await pool.query(
    `INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "projectName")
     VALUES ($1::uuid, $2, decode(replace($1::uuid::text, '-', ''), 'hex'), 'MARKETING', 'CAMPAIGN', 'News', 'News', 'hello@sender.test', 'Bench')`,
    [contentId, projectId],
  );
  await pool.query(`INSERT INTO "CampaignCounter" ("campaignId", "projectId") VALUES ($1, $2)`, [
    campaignId,
    projectId,
  ]);
  const { rowCount } = await pool.query(
    `INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "tracked", "campaignId")
     SELECT uuid7(), $1, c."id", c."email", substring(sha256(convert_to(c."email", 'UTF8')) FOR 16), 'MARKETING', 'CAMPAIGN', $3, true, $2
     FROM "Contact" c WHERE c."projectId" = $1 AND c."subscribed"
       AND NOT EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = $1 AND s."email" = c."email")`,
    [projectId, campaignId, contentId],
  );
  return rowCount ?? 0;
}

/** The next recipients in order of id, checked again: still subscribed and not suppressed. */
export async function nextRecipients(
  pool: Pool,
  projectId: string,
  campaignId: string,
  after: string,
  limit: number,
): Promise<Recipient[]> {
  const { rows } = await pool.query<Recipient>({
    name: 'next',
    text: `
      SELECT e."id", e."to", c."id" AS "contactId", c."data" ->> 'name' AS name, c."data" ->> 'plan' AS plan
      FROM (SELECT * FROM "Email" WHERE "projectId" = $1 AND "campaignId" = $2 AND "id" > $3 AND "status" = 'PENDING'
            ORDER BY "id" LIMIT $4) e
      JOIN "Contact" c ON c."id" = e."contactId" AND c."subscribed"
      WHERE NOT EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = $1 AND s."email" = e."to")
      ORDER BY e."id"`,
    values: [projectId, campaignId, after, limit],
  });
  return rows;
}

/** Marks a batch as sent, writes its events and updates the counter. */
export async function markSent(pool: Pool, campaignId: string, ids: string[]): Promise<void> {
  await pool.query({
    name: 'mark',
    text: `
      WITH done AS (
        UPDATE "Email" SET "status" = 'SENT', "sentAt" = now(), "attempts" = 1, "updatedAt" = now()
        WHERE "id" = ANY($1::uuid[]) RETURNING "id", "projectId", "contactId"
      )
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
      SELECT uuid7(), "projectId", 'SYSTEM', 'email.sent', jsonb_build_object('emailId', "id", 'subject', 'News', 'from', 'hello@sender.test',
        'messageId', '<' || "id" || '@sender.test>', 'campaignId', $2::uuid, 'sourceType', 'CAMPAIGN', 'sentAt', now()), "contactId", "id"
      FROM done`,
    values: [ids, campaignId],
  });
  await pool.query({
    name: 'count',
    text: `UPDATE "CampaignCounter" SET "sentCount" = "sentCount" + $2 WHERE "campaignId" = $1`,
    values: [campaignId, ids.length],
  });
}
