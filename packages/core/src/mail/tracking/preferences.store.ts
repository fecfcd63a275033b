import type { Pool } from 'pg';
import { type Saying, type Statement, writeConsent } from '../../audience/consent/index.ts';
import { Prisma, plainTransaction, prepared, type SqlDb } from '../../base/db/index.ts';

export interface PreferencesRow {
  projectId: string;
  email: string;
  subscribed: boolean;
  snoozedUntil: Date | null;
  locale: string | null;
  projectName: string;
  projectLanguage: string;
}

const preferencesOf = prepared<{ contactId: string }>(
  'find-preferences',
  ({ contactId }) => Prisma.sql`
    SELECT c."projectId", c."email", c."subscribed", c."snoozedUntil",
      CASE WHEN jsonb_typeof(c."data" -> 'locale') = 'string' THEN c."data" ->> 'locale' END AS "locale",
      p."name" AS "projectName", p."language" AS "projectLanguage"
    FROM "Contact" c JOIN "Project" p ON p."id" = c."projectId"
    WHERE c."id" = ${contactId}::uuid AND p."deletedAt" IS NULL`,
);

/** The preferences page of a contact; null once the contact or its project has been deleted. */
export async function findPreferences(pool: Pool, contactId: string): Promise<PreferencesRow | null> {
  const { rows } = await pool.query<PreferencesRow>(preferencesOf({ contactId }));
  return rows[0] ?? null;
}

const presentContact = prepared<{ contactId: string }>(
  'find-merged-contact',
  ({ contactId }) =>
    Prisma.sql`SELECT "contactId"::text FROM "MergedContact" WHERE "id" = ${contactId}::uuid`,
);

/** The contact that another one has become part of; null for any other id. */
export async function findMergedInto(pool: Pool, contactId: string): Promise<string | null> {
  const { rows } = await pool.query<{ contactId: string }>(presentContact({ contactId }));
  return rows[0]?.contactId ?? null;
}

const testRecipient = prepared<{ emailId: string }>(
  'find-test-recipient',
  ({ emailId }) => Prisma.sql`
    SELECT e."projectId", e."to" AS "email", true AS "subscribed", NULL::timestamptz AS "snoozedUntil", NULL AS "locale",
      p."name" AS "projectName", p."language" AS "projectLanguage"
    FROM "Email" e JOIN "Project" p ON p."id" = e."projectId"
    WHERE e."id" = ${emailId}::uuid AND e."sourceType" = 'TEST' AND p."deletedAt" IS NULL`,
);

/** The same for the inert link of a test email. */
export async function findTestRecipient(pool: Pool, emailId: string): Promise<PreferencesRow | null> {
  const { rows } = await pool.query<PreferencesRow>(testRecipient({ emailId }));
  return rows[0] ?? null;
}

export interface SubscriptionChange {
  projectId: string;
  contactId: string;
  /** the email whose link was followed */
  emailId: string | null;
  action: 'subscribe' | 'unsubscribe' | 'snooze';
  /** a PostgreSQL interval; null unless this is a snooze */
  snooze: string | null;
  said: Saying;
  /** keyed hash of the address in hex, to remove an opt-out that outlived a deleted contact */
  optOut: string;
}

export interface SubscriptionChanged {
  subscribed: boolean;
  snoozedUntil: Date | null;
}

/**
 * Writes a recipient's choice with its act and event. The contact is locked first, so that of several equal concurrent requests only one makes the
 * change. The first opt-out by an email counts for its campaign. A pause concerns only who is subscribed or paused (behaviour B12.7).
 *
 * @returns null when the contact does not exist
 */
export const changeSubscription = (
  pool: Pool,
  { projectId, contactId, emailId, action, snooze, said, optOut }: SubscriptionChange,
): Promise<SubscriptionChanged | null> =>
  plainTransaction(pool, async (db) => {
    const statement: Statement =
      action === 'snooze'
        ? { contact: contactId, kind: 'snooze', until: await endOf(db, snooze ?? '0') }
        : { contact: contactId, kind: 'state', wanted: action === 'subscribe', optOut };
    const done = await writeConsent(db, projectId, { ...said, emailId }, statement);
    if (!done) return null;
    if (emailId !== null && done.wasSubscribed && !done.subscribed) await countOptOut(db, contactId, emailId);
    return { subscribed: done.subscribed, snoozedUntil: done.snoozedUntil };
  });

/** The time after an interval of the calendar of UTC, which is as long wherever the server is. */
async function endOf(db: SqlDb, interval: string): Promise<string> {
  const [row] = await db.$queryRaw<{ at: Date }[]>`
    SELECT ((now() AT TIME ZONE 'UTC' + ${interval}::interval) AT TIME ZONE 'UTC')::timestamptz(3) AS "at"`;
  if (!row) throw new Error('the end of a snooze gave no row');
  return row.at.toISOString();
}

const countOptOut = (db: SqlDb, contactId: string, emailId: string): Promise<unknown> => db.$executeRaw`
  WITH "email" AS (
    UPDATE "Email" e SET "unsubscribed" = true, "updatedAt" = now()
    WHERE e."id" = ${emailId}::uuid AND e."contactId" = ${contactId}::uuid AND NOT e."unsubscribed"
    RETURNING e."campaignId"
  )
  UPDATE "CampaignCounter" c SET "unsubscribedCount" = c."unsubscribedCount" + 1 FROM "email" x WHERE c."campaignId" = x."campaignId"`;
