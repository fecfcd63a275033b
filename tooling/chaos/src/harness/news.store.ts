import type { Pool } from 'pg';

/** Makes the envelope sender of a project's email the address that receives bounces, as after finding the MX record. */
export async function receiveBounces(db: Pool, projectId: string): Promise<void> {
  await db.query(
    `UPDATE "Domain" SET "recordsFound" = jsonb_build_object('MX bounces.' || "domain", true) WHERE "projectId" = $1`,
    [projectId],
  );
}

export interface NewsCounts {
  bounced: number;
  complained: number;
}

/** Bounces and complaints of a campaign, as each part of the ledger has them. */
export async function readNews(
  db: Pool,
  campaignId: string,
): Promise<Record<'emails' | 'events' | 'counters' | 'suppressions' | 'interactions', NewsCounts>> {
  const of = async (text: string): Promise<NewsCounts> => {
    const { rows } = await db.query<NewsCounts>(text, [campaignId]);
    return rows[0] ?? { bounced: 0, complained: 0 };
  };
  const ofCampaign = `JOIN "Email" e ON e."id" = x."emailId" WHERE e."campaignId" = $1`;
  const counted = (bounce: string, complaint: string): string =>
    `SELECT count(*) FILTER (WHERE ${bounce})::int AS bounced, count(*) FILTER (WHERE ${complaint})::int AS complained`;
  return {
    emails: await of(
      `${counted(`"status" = 'BOUNCED' AND "bouncedAt" IS NOT NULL`, `"status" = 'COMPLAINED' AND "complainedAt" IS NOT NULL`)}
       FROM "Email" WHERE "campaignId" = $1`,
    ),
    events: await of(
      `${counted(`x."name" = 'email.bounce'`, `x."name" = 'email.complaint'`)} FROM "Event" x ${ofCampaign}`,
    ),
    counters: await of(
      `SELECT "bouncedCount" AS bounced, "complainedCount" AS complained FROM "CampaignCounter" WHERE "campaignId" = $1`,
    ),
    suppressions: await of(
      `${counted(`x."reason" = 'BOUNCE'`, `x."reason" = 'COMPLAINT'`)} FROM "Suppression" x ${ofCampaign}`,
    ),
    interactions: await of(
      `${counted(`x."type" = 'bounce'`, `x."type" = 'complaint'`)} FROM "Interaction" x ${ofCampaign}`,
    ),
  };
}
