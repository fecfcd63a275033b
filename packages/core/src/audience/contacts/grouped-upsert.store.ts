import { constant, type Lock, Prisma } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWhere } from '../../base/event-types/index.ts';
import { type ContactSource, namedSource } from './contact-source.ts';
import type { FlipReason } from './contacts.rules.ts';
import { dataLimitBytes } from './contacts.rules.ts';
import type { PreparedChange } from './contacts.store.ts';

/**
 * The upsert of contacts for statements that store many requests at once: the same rules as the database function
 * `upsert_contacts`, but set-based, and a broken rule refuses the requests that broke it instead of the statement. It never waits
 * for a contact that another transaction holds: such a row is `isBusy`, and its request is to be stored alone. So is a row with
 * `keepsOptOut` that would subscribe a contact again: `upsert_contacts` decides whether it may.
 *
 * The statement gives its rows as the CTE `row` with `contactRowColumns` and any further columns, then `locatedContacts`, then a
 * CTE `accepted` of those located rows that are to be stored, then `storedContacts`, and selects `storedContactsCheck`.
 */
export const contactRowColumns = Prisma.sql`"project" uuid, "address" text, "newId" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean,
    "byDefault" boolean, "optOut" text, "keepsOptOut" boolean`;

/** The values of `contactRowColumns`. */
export interface ContactRowInput {
  project: string;
  address: string;
  newId: string;
  patch: PreparedChange['patch'];
  lists: PreparedChange['lists'];
  wanted: boolean | null;
  byDefault: boolean;
  optOut: string | undefined;
  keepsOptOut: boolean;
}

/** Makes the rows of one statement. Requests that create the same contact give it the same id. */
export function contactRows(
  byDefault: boolean,
): (project: string, change: PreparedChange) => ContactRowInput {
  const ids = new Map<string, string>();
  return (project, { email, id, patch, lists, subscribed, optOut, keepsOptOut = false }) => {
    const place = `${project}/${email}`;
    const newId = ids.get(place) ?? id;
    ids.set(place, newId);
    return {
      project,
      address: email,
      newId,
      patch,
      lists,
      wanted: subscribed,
      byDefault,
      optOut,
      keepsOptOut,
    };
  };
}

/** Requests that change a contact differently are stored one after the other. */
export const contactLock = (project: string, { email, patch, lists, subscribed }: PreparedChange): Lock => ({
  name: `${project}/${email}`,
  value: `${subscribed}${JSON.stringify(patch)}${lists ? JSON.stringify(lists) : ''}`,
});

const contactById = (mode: 'KEY SHARE' | 'NO KEY UPDATE', condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT c."id", c."data", c."subscribed", c."snoozedUntil", c."topicsOn", c."topicsOff", c."topicDefaults" FROM "Contact" c
    WHERE c."id" = seen."id" AND c."projectId" = r."project" AND c."email" = r."address" AND ${condition}
    FOR ${constant(mode)} SKIP LOCKED`;

/** Whether the change `r` leaves the contact `c` as it is. */
const unchanged = Prisma.sql`patched_data(c."data", r."patch", r."lists") = c."data"
      AND (r."wanted" IS NULL OR (r."wanted" = c."subscribed" AND c."snoozedUntil" IS NULL))`;

/**
 * The CTE `located`: every row of `row`, in the order of the addresses, with the contact as it will be after the statement. Contacts
 * that change are locked against changes, the others only against deletion; both until the transaction ends.
 */
export const locatedContacts = Prisma.sql`
"found" AS MATERIALIZED (
  SELECT r.*, coalesce(kept."id", changing."id") AS "foundId", kept."id" IS NOT NULL AS "isKept",
    seen."id" IS NOT NULL AND kept."id" IS NULL AND changing."id" IS NULL
      OR coalesce(r."keepsOptOut" AND r."wanted" AND (NOT changing."subscribed" OR EXISTS (
        SELECT FROM "OptOut" o WHERE o."projectId" = r."project" AND o."addressHash" = decode(r."optOut", 'hex'))), false) AS "isBusy",
    coalesce(kept."data", patched_data(coalesce(changing."data", '{}'), r."patch", r."lists")) AS "data",
    coalesce(kept."subscribed", changing."subscribed") AS "before", changing."snoozedUntil" AS "snoozed",
    coalesce(kept."topicsOn", changing."topicsOn", '{}') AS "topicsOn", coalesce(kept."topicsOff", changing."topicsOff", '{}') AS "topicsOff",
    -- Who is subscribed again by itself receives the topics that are IN by default.
    coalesce(kept."topicDefaults", changing."topicDefaults" OR coalesce(r."wanted" AND NOT changing."subscribed", false), true) AS "topicDefaults"
  FROM (SELECT * FROM "row" ORDER BY "project", "address") r
  LEFT JOIN LATERAL (
    SELECT c."id", ${unchanged} AS "isSame" FROM "Contact" c WHERE c."projectId" = r."project" AND c."email" = r."address" LIMIT 1
  ) seen ON true
  LEFT JOIN LATERAL (${contactById('KEY SHARE', Prisma.sql`seen."isSame" AND ${unchanged}`)}) kept ON true
  LEFT JOIN LATERAL (${contactById('NO KEY UPDATE', Prisma.sql`NOT seen."isSame"`)}) changing ON true
), "located" AS MATERIALIZED (
  SELECT f.*, coalesce(f."foundId", f."newId") AS "contactId",
    coalesce(f."wanted", f."before", f."byDefault" AND (
      SELECT true FROM "OptOut" o WHERE o."projectId" = f."project" AND o."addressHash" = decode(f."optOut", 'hex') LIMIT 1) IS NULL
    ) AS "subscribed",
    -- Compact JSON, which the limit counts, has no blank after colons and commas; PostgreSQL prints them.
    NOT f."isKept" AND octet_length(f."data"::text) > ${constant(dataLimitBytes)}
      AND octet_length(f."data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(f."data")) + 1 > ${constant(dataLimitBytes)} AS "isTooLarge"
  FROM "found" f
)`;

/**
 * The CTEs that write the contacts of `accepted`, each once; and the events and opt-outs that follow from it. A new contact is
 * inserted with its `newId`: if it exists by now, nothing is written, and `storedContactsCheck` aborts the statement.
 */
export const storedContacts = (reason: FlipReason): Prisma.Sql => Prisma.sql`
"writing" AS MATERIALIZED (
  SELECT DISTINCT ON ("project", "address") * FROM "accepted" WHERE NOT "isKept" ORDER BY "project", "address"
), "stored" AS (
  INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "snoozedUntil", "topicDefaults", "data")
  SELECT "contactId", "project", "address", "subscribed", CASE WHEN "wanted" IS NULL THEN "snoozed" END, "topicDefaults", "data" FROM "writing"
  ON CONFLICT ("projectId", "email") DO UPDATE SET
    "data" = excluded."data", "subscribed" = excluded."subscribed", "snoozedUntil" = excluded."snoozedUntil",
    "topicDefaults" = excluded."topicDefaults",
    "subscriptionChangedAt" = CASE WHEN c."subscribed" <> excluded."subscribed" THEN now() ELSE c."subscriptionChangedAt" END,
    "updatedAt" = now()
  WHERE c."id" = excluded."id"
  RETURNING true
), "flips" AS (
  ${insertEvents}
  ${eventRow({
    ...storedWhere([['"subscribed"', 'contact.subscribed']], 'contact.unsubscribed'),
    projectId: constant('"project"'),
    data: constant(`jsonb_build_object('reason', '${reason}')`),
    contactId: constant('"contactId"'),
  })}
  FROM "writing" WHERE "before" <> "subscribed"
), "optedIn" AS (
  DELETE FROM "OptOut" o USING "writing" w
  WHERE w."wanted" AND o."projectId" = w."project" AND o."addressHash" = decode(w."optOut", 'hex')
)`;

/** A column of the main query, which also names the source of new contacts; aborts the statement when a contact was created by another transaction in the meantime. */
export const storedContactsCheck = (source: ContactSource): Prisma.Sql => Prisma.sql`
  CASE WHEN (SELECT ${namedSource(source)}) IS NULL OR (SELECT count(*) FROM "stored") <> (SELECT count(*) FROM "writing") THEN refuse('repeat') END`;
