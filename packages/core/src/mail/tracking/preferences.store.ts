import type { Pool } from 'pg';
import { byRecipient } from '../../audience/contacts/index.ts';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWhere } from '../../base/event-types/index.ts';

export interface PreferencesRow {
  projectId: string;
  email: string;
  subscribed: boolean;
  snoozedUntil: Date | null;
  locale: string | null;
  projectName: string;
  projectLanguage: string;
  /** as stored */
  brand: unknown;
}

const preferencesOf = prepared<{ contactId: string }>(
  'find-preferences',
  ({ contactId }) => Prisma.sql`
    SELECT c."projectId", c."email", c."subscribed", c."snoozedUntil",
      CASE WHEN jsonb_typeof(c."data" -> 'locale') = 'string' THEN c."data" ->> 'locale' END AS "locale",
      p."name" AS "projectName", p."language" AS "projectLanguage", p."brand"
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
      p."name" AS "projectName", p."language" AS "projectLanguage", p."brand"
    FROM "Email" e JOIN "Project" p ON p."id" = e."projectId"
    WHERE e."id" = ${emailId}::uuid AND e."sourceType" = 'TEST' AND p."deletedAt" IS NULL`,
);

/** The same for the inert link of a test email. */
export async function findTestRecipient(pool: Pool, emailId: string): Promise<PreferencesRow | null> {
  const { rows } = await pool.query<PreferencesRow>(testRecipient({ emailId }));
  return rows[0] ?? null;
}

export interface SubscriptionChange {
  contactId: string;
  /** the email whose link was followed */
  emailId: string | null;
  subscribed: boolean;
  /** a PostgreSQL interval; null unless this is a snooze */
  snooze: string | null;
  reason: 'page' | 'one_click' | 'snooze';
  /** keyed hash of the address, to remove an opt-out that outlived a deleted contact */
  optOut: Buffer;
}

export interface SubscriptionChanged {
  subscribed: boolean;
  snoozedUntil: Date | null;
}

/** The contact is locked first, so that of several equal concurrent requests only one makes the change. */
const change = prepared<SubscriptionChange>(
  'change-subscription',
  ({ contactId, emailId, subscribed, snooze, reason, optOut }) => Prisma.sql`
WITH "contact" AS MATERIALIZED (
  SELECT c."id", c."projectId", c."subscribed" AS "before", c."snoozedUntil" AS "snoozedBefore", ${subscribed}::boolean AS "after",
    ${byRecipient} AS "optedOut",
    ((now() AT TIME ZONE 'UTC' + ${snooze}::interval) AT TIME ZONE 'UTC')::timestamptz(3) AS "until"
  FROM "Contact" c WHERE c."id" = ${contactId}::uuid FOR UPDATE
), "changed" AS (
  UPDATE "Contact" c SET "subscribed" = x."after", "snoozedUntil" = x."until", "updatedAt" = now(),
    "subscriptionChangedAt" = CASE WHEN x."before" <> x."after" THEN now() ELSE c."subscriptionChangedAt" END,
    "optedOutAt" = CASE WHEN x."after" THEN c."optedOutAt" ELSE now() END
  FROM "contact" x
  WHERE c."id" = x."id" AND (x."before" <> x."after" OR x."snoozedBefore" IS DISTINCT FROM x."until"
    OR NOT (x."after" OR x."optedOut"))
  RETURNING c."id"
), "forgotten" AS (
  DELETE FROM "OptOut" o USING "contact" x WHERE x."after" AND o."projectId" = x."projectId" AND o."addressHash" = ${optOut}::bytea
), "email" AS (
  UPDATE "Email" e SET "unsubscribed" = true, "updatedAt" = now() FROM "contact" x
  WHERE e."id" = ${emailId}::uuid AND e."contactId" = x."id" AND NOT e."unsubscribed" AND x."before" AND NOT x."after"
  RETURNING e."campaignId"
), "counted" AS (
  UPDATE "CampaignCounter" c SET "unsubscribedCount" = c."unsubscribedCount" + 1 FROM "email" x WHERE c."campaignId" = x."campaignId"
), "told" AS (
  ${insertEvents}
  ${eventRow({
    ...storedWhere([['"after"', 'contact.subscribed']], 'contact.unsubscribed'),
    projectId: constant('"projectId"'),
    data: Prisma.sql`jsonb_strip_nulls(jsonb_build_object('reason', ${reason}::text,
      'snoozedUntil', to_char("until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
    contactId: constant('"id"'),
    emailId: Prisma.sql`${emailId}::uuid`,
  })}
  FROM "contact" WHERE "before" <> "after"
)
SELECT "after" AS "subscribed", "until" AS "snoozedUntil" FROM "contact"`,
);

/**
 * Writes a contact's choice and its event in one statement. Every write ends a running snooze; only a change of
 * `subscribed` emits an event (behaviour B3.2). The first opt-out by an email counts for its campaign.
 *
 * @returns null when the contact does not exist
 */
export async function changeSubscription(
  pool: Pool,
  subscription: SubscriptionChange,
): Promise<SubscriptionChanged | null> {
  const { rows } = await pool.query<SubscriptionChanged>(change(subscription));
  return rows[0] ?? null;
}
