import type { Pool } from 'pg';
import { appliedConsents, type Saying, type Statement } from '../../audience/consent/index.ts';
import { generalNumber, type Texts } from '../../audience/topics/topics.rules.ts';
import { constant, Prisma, prepared } from '../../base/db/index.ts';

/** A topic that recipients may choose. */
export interface TopicOfPage {
  key: string;
  number: number;
  name: Texts;
  description: Texts | null;
  wanted: boolean;
}

interface ShownProjectRow {
  projectId: string;
  projectName: string;
  projectLanguage: string;
  /** as stored */
  brand: unknown;
  consent: unknown;
}

export interface PreferencesRow extends ShownProjectRow {
  email: string;
  subscribed: boolean;
  snoozedUntil: Date | null;
  pendingUntil: Date | null;
  stated: boolean;
  locale: string | null;
  topics: TopicOfPage[];
  /** of the email, unless that is `general` */
  emailTopic: { key: string; number: number; name: Texts; isPublic: boolean } | null;
}

const shownProject = constant(
  'p."id"::text AS "projectId", p."name" AS "projectName", p."language" AS "projectLanguage", p."brand", p."consent"',
);

const preferencesOf = prepared<{ contactId: string; emailId: string | null }>(
  'find-preferences',
  ({ contactId, emailId }) => Prisma.sql`
    SELECT ${shownProject}, c."email", c."subscribed", c."snoozedUntil", c."pendingUntil", c."stated",
      CASE WHEN jsonb_typeof(c."data" -> 'locale') = 'string' THEN c."data" ->> 'locale' END AS "locale",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('key', t."key", 'number', t."number", 'name', t."name", 'description', t."description",
          'wanted', receives_topic(true, c."topicsOn", c."topicsOff", c."topicDefaults", t."number", t."default" = 'IN'))
          ORDER BY t."position", t."number")
        FROM "Topic" t
        WHERE t."projectId" = c."projectId" AND t."visibility" = 'PUBLIC' AND NOT t."archived" AND t."deletedAt" IS NULL), '[]') AS "topics",
      (SELECT jsonb_build_object('key', t."key", 'number', t."number", 'name', t."name", 'isPublic', t."visibility" = 'PUBLIC')
        FROM "Email" e JOIN "Content" o ON o."id" = e."contentId" JOIN "Topic" t ON t."id" = o."topicId"
        WHERE e."id" = ${emailId}::uuid AND e."projectId" = c."projectId" AND t."number" <> ${constant(generalNumber)}) AS "emailTopic"
    FROM "Contact" c JOIN "Project" p ON p."id" = c."projectId"
    WHERE c."id" = ${contactId}::uuid AND p."deletedAt" IS NULL`,
);

/** What a contact receives, for its pages; null once the contact or its project has been deleted. */
export async function findPreferences(
  pool: Pool,
  contactId: string,
  emailId: string | null,
): Promise<PreferencesRow | null> {
  const { rows } = await pool.query<PreferencesRow>(preferencesOf({ contactId, emailId }));
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

export type ErasedRow = ShownProjectRow;

const erasedContact = prepared<{ contactId: string }>(
  'find-erased-contact',
  ({ contactId }) => Prisma.sql`
    SELECT ${shownProject} FROM "ErasedContact" x JOIN "Project" p ON p."id" = x."projectId"
    WHERE x."contactId" = ${contactId}::uuid AND p."deletedAt" IS NULL`,
);

/** The project of a contact that was deleted; null for any other id. */
export async function findErased(pool: Pool, contactId: string): Promise<ErasedRow | null> {
  const { rows } = await pool.query<ErasedRow>(erasedContact({ contactId }));
  return rows[0] ?? null;
}

const testRecipient = prepared<{ emailId: string }>(
  'find-test-recipient',
  ({ emailId }) => Prisma.sql`
    SELECT ${shownProject}, e."to" AS "email", true AS "subscribed", NULL::timestamptz AS "snoozedUntil", NULL::timestamptz AS "pendingUntil",
      true AS "stated", NULL AS "locale", '[]'::jsonb AS "topics", NULL::jsonb AS "emailTopic"
    FROM "Email" e JOIN "Project" p ON p."id" = e."projectId"
    WHERE e."id" = ${emailId}::uuid AND e."sourceType" = 'TEST' AND p."deletedAt" IS NULL`,
);

/** The same for the inert link of a test email. */
export async function findTestRecipient(pool: Pool, emailId: string): Promise<PreferencesRow | null> {
  const { rows } = await pool.query<PreferencesRow>(testRecipient({ emailId }));
  return rows[0] ?? null;
}

export interface PreferencesChanged {
  effect: 'changed' | 'unchanged' | 'refused';
  refusal: string | null;
}

interface PreparedChange {
  projectId: string;
  common: string;
  said: string;
  emailId: string | null;
  endsTopic: boolean;
}

const change = prepared<PreparedChange>(
  'change-preferences',
  ({ projectId, common, said, emailId, endsTopic }) => Prisma.sql`
WITH "said" AS MATERIALIZED (
  SELECT * FROM ${appliedConsents(Prisma.sql`${projectId}::uuid`, Prisma.sql`${common}::jsonb`, Prisma.sql`${said}::jsonb`)}
), "email" AS (
  UPDATE "Email" e SET "unsubscribed" = true, "updatedAt" = now() FROM "said" x
  WHERE e."id" = ${emailId}::uuid AND e."contactId" = x."contactId" AND NOT e."unsubscribed"
    AND (x."wasSubscribed" AND NOT x."subscribed" OR ${endsTopic}::boolean AND x."wasSubscribed" AND x."effect" = 'changed')
  RETURNING e."campaignId"
), "counted" AS (
  UPDATE "CampaignCounter" c SET "unsubscribedCount" = c."unsubscribedCount" + 1 FROM "email" x WHERE c."campaignId" = x."campaignId"
)
SELECT "effect", "refusal" FROM "said"`,
);

/**
 * Writes what a recipient chose on a page with its act and events, in one statement. The first opt-out by an email, or from its topic, counts
 * for its campaign.
 *
 * @returns null when the contact does not exist
 */
export async function changePreferencesOf(
  pool: Pool,
  {
    projectId,
    saying,
    statement,
    emailId,
    endsTopic,
  }: {
    projectId: string;
    saying: Saying;
    statement: Statement;
    /** whose link was followed */
    emailId: string | null;
    /** the choice is to end the topic of that email */
    endsTopic: boolean;
  },
): Promise<PreferencesChanged | null> {
  const [common, said] = [JSON.stringify(saying), JSON.stringify([statement])];
  const { rows } = await pool.query<PreferencesChanged>(
    change({ projectId, common, said, emailId, endsTopic }),
  );
  return rows[0] ?? null;
}

const leave = prepared<{ contactId: string; source: 'page' | 'one_click' }>(
  'leave-after-deletion',
  ({ contactId, source }) => Prisma.sql`
WITH "erased" AS MATERIALIZED (
  SELECT x."projectId", x."addressHash" FROM "ErasedContact" x WHERE x."contactId" = ${contactId}::uuid
), "kept" AS (
  INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient") SELECT "projectId", "addressHash", true FROM "erased"
  ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE NOT o."byRecipient"
  RETURNING "projectId", "addressHash"
), "act" AS (
  INSERT INTO "ConsentAct" ("seq", "projectId", "addressHash", "action", "effect", "source", "actor", "optOutBy")
  SELECT nextval('"ConsentSeq"'), "projectId", "addressHash", 'unsubscribe', 'changed', ${source}::"ConsentSource", 'recipient', 'recipient' FROM "kept"
)
SELECT count(*)::int AS "count" FROM "erased"`,
);

/**
 * Opts out the address of a contact that was deleted, which only its keyed hash still tells (behaviour B12.7).
 *
 * @returns whether there was such a contact
 */
export async function leaveAfterDeletion(
  pool: Pool,
  contactId: string,
  source: 'page' | 'one_click',
): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(leave({ contactId, source }));
  return (rows[0]?.count ?? 0) > 0;
}
