import type { Pool } from 'pg';

export interface LedgerEmail {
  id: string;
  to: string;
  status: string;
  sourceType: string;
  error: string | null;
  sentAt: Date | null;
  bouncedAt: Date | null;
  campaignId: string | null;
  /** it was UNCERTAIN and, being transactional, was sent again automatically (behaviour B3.3) */
  autoResent: boolean;
  /** it still belongs to a batch */
  queued: boolean;
  /** the number of its events by name */
  events: Record<string, number>;
}

export interface LedgerCampaign {
  id: string;
  status: string;
  totalRecipients: number;
  sentCount: number;
  failedCount: number;
  skippedCount: number;
  uncertainCount: number;
  bouncedCount: number;
  /** the sum of the skipped emails by reason */
  skips: number;
  /** what was counted of its emails that were removed for their age, by counter; `emails` for all of them */
  expired: Record<string, number>;
}

export interface Ledger {
  emails: LedgerEmail[];
  campaigns: LedgerCampaign[];
  /** the number of batches, whatever they contain */
  batches: number;
}

/**
 * All emails, campaign counters and events of the database, in one snapshot. A campaign that was cancelled before it began has an estimate of its
 * recipients, and no emails: it is left out.
 */
export async function readLedger(db: Pool): Promise<Ledger> {
  const client = await db.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const emails = await client.query<LedgerEmail>(`
      SELECT e."id", e."to", e."status"::text, e."sourceType"::text, e."error", e."sentAt", e."bouncedAt", e."campaignId", e."autoResent",
        e."batchId" IS NOT NULL AS queued, coalesce(told.events, '{}') AS events
      FROM "Email" e
      LEFT JOIN (
        SELECT "emailId", jsonb_object_agg("name", count) AS events
        FROM (SELECT "emailId", "name", count(*) FROM "Event" WHERE "emailId" IS NOT NULL GROUP BY 1, 2) v GROUP BY 1
      ) told ON told."emailId" = e."id"`);
    const campaigns = await client.query<LedgerCampaign>(`
      SELECT c."id", c."status"::text, c."totalRecipients", n."sentCount", n."failedCount", n."skippedCount", n."uncertainCount", n."bouncedCount",
        (SELECT coalesce(sum(s."count"), 0)::int FROM "CampaignSkip" s WHERE s."campaignId" = c."id") AS skips,
        (SELECT coalesce(jsonb_object_agg(x."counter", x."count"), '{}') FROM "ExpiredEmails" x WHERE x."scopeId" = c."id") AS expired
      FROM "Campaign" c JOIN "CampaignCounter" n ON n."campaignId" = c."id"
      WHERE c."status" <> 'DRAFT' AND (c."frozenAt" IS NOT NULL OR EXISTS (SELECT FROM "Email" e WHERE e."campaignId" = c."id") OR c."status" <> 'CANCELLED')`);
    const batches = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "DeliveryBatch"`,
    );
    await client.query('COMMIT');
    return { emails: emails.rows, campaigns: campaigns.rows, batches: batches.rows[0]?.count ?? 0 };
  } finally {
    client.release();
  }
}
