import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

/** Contacts with zones in turn. */
export async function insertZonedContacts(
  db: Pool,
  projectId: string,
  count: number,
  zones: readonly string[],
): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "consentBasis", "data")
     SELECT uuid7(), $1, 'z' || n || '@people.test', true, 'given', jsonb_build_object('timezone', ($3::text[])[1 + n % cardinality($3::text[])])
     FROM generate_series(0, $2::int - 1) n`,
    [projectId, count, zones],
  );
  await db.query('ANALYZE "Contact"');
}

export interface FrozenEmail {
  emailId: string;
  contactId: string;
  zone: string;
  wave: number;
  /** in milliseconds */
  dueAt: number;
}

/** The emails of a campaign with the wave of each, before anything of it is sent. */
export async function frozenEmails(db: Pool, campaignId: string): Promise<FrozenEmail[]> {
  const { rows } = await db.query<FrozenEmail>(
    `SELECT e."id" AS "emailId", e."contactId", c."data" ->> 'timezone' AS "zone", b."wave", extract(epoch FROM b."nextAttemptAt")::float8 * 1000 AS "dueAt"
     FROM "Email" e JOIN "DeliveryBatch" b ON b."id" = e."batchId" JOIN "Contact" c ON c."id" = e."contactId" WHERE e."campaignId" = $1`,
    [campaignId],
  );
  return rows;
}

/** Brings the moments of a campaign together: its waves are due one after the other, from `first` on. */
export const hurryWaves = (db: Pool, campaignId: string, first: Date, everyMs: number): Promise<unknown> =>
  db.query(
    `WITH w AS (
       UPDATE "CampaignWave" w SET "dueAt" = $2::timestamptz + (o.place - 1) * $3::float8 * interval '1 millisecond'
       FROM (SELECT "wave", row_number() OVER (ORDER BY "dueAt") AS place FROM "CampaignWave" WHERE "campaignId" = $1) o
       WHERE w."campaignId" = $1 AND w."wave" = o."wave" RETURNING w."wave", w."dueAt"
     )
     UPDATE "DeliveryBatch" b SET "nextAttemptAt" = w."dueAt" FROM w WHERE b."campaignId" = $1 AND b."wave" = w."wave"`,
    [campaignId, first, everyMs],
  );

export async function dueTimes(db: Pool, campaignId: string): Promise<Map<number, number>> {
  const { rows } = await db.query<{ wave: number; at: number }>(
    `SELECT "wave", extract(epoch FROM "dueAt")::float8 * 1000 AS "at" FROM "CampaignWave" WHERE "campaignId" = $1`,
    [campaignId],
  );
  return new Map(rows.map(({ wave, at }) => [wave, at]));
}

/** Status and reason of the emails of a campaign, by their ids. */
export async function outcomes(db: Pool, campaignId: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; outcome: string }>(
    `SELECT "id", concat_ws(' ', "status"::text, "reason") AS "outcome" FROM "Email" WHERE "campaignId" = $1`,
    [campaignId],
  );
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}
