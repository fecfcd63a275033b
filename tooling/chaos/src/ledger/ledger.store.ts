import type { Pool } from 'pg';

export interface LedgerEmail {
  id: string;
  to: string;
  status: string;
  error: string | null;
  sentAt: Date | null;
  campaignId: string | null;
  /** it was UNCERTAIN and, being transactional, was sent again automatically (behaviour B3.3) */
  autoResent: boolean;
  /** it still has a Delivery row */
  open: boolean;
  /** the number of its `email.sent` events */
  told: number;
}

export interface LedgerCampaign {
  id: string;
  status: string;
  totalRecipients: number;
  sentCount: number;
  failedCount: number;
  skippedCount: number;
  uncertainCount: number;
}

export interface Ledger {
  emails: LedgerEmail[];
  campaigns: LedgerCampaign[];
  /** Delivery rows without an Email row */
  orphans: number;
}

/** All emails and campaign counters of the database, in one snapshot. */
export async function readLedger(db: Pool): Promise<Ledger> {
  const client = await db.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const emails = await client.query<LedgerEmail>(`
      SELECT e."id", e."to", e."status"::text, e."error", e."sentAt", e."campaignId", e."autoResent",
        d."emailId" IS NOT NULL AS open, coalesce(told.count, 0)::int AS told
      FROM "Email" e
      LEFT JOIN "Delivery" d ON d."emailId" = e."id"
      LEFT JOIN (SELECT "emailId", count(*) FROM "Event" WHERE "name" = 'email.sent' GROUP BY 1) told ON told."emailId" = e."id"`);
    const campaigns = await client.query<LedgerCampaign>(`
      SELECT c."id", c."status"::text, c."totalRecipients", n."sentCount", n."failedCount", n."skippedCount", n."uncertainCount"
      FROM "Campaign" c JOIN "CampaignCounter" n ON n."campaignId" = c."id"`);
    const orphans = await client.query<{ count: number }>(`
      SELECT count(*)::int AS count FROM "Delivery" d WHERE NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = d."emailId")`);
    await client.query('COMMIT');
    return { emails: emails.rows, campaigns: campaigns.rows, orphans: orphans.rows[0]?.count ?? 0 };
  } finally {
    client.release();
  }
}
