import { constant, type Lock, Prisma } from '../../base/db/index.ts';
import { type ContactSource, namedSource } from './contact-source.ts';
import { dataLimitBytes } from './contacts.rules.ts';
import type { PreparedChange } from './contacts.store.ts';

/**
 * The upsert of contacts for statements that store many requests at once: the same rules as the database function
 * `upsert_contacts`, but set-based, and a broken rule refuses the requests that broke it instead of the statement. It never waits
 * for a contact that another transaction holds: such a row is `isBusy`, and its request is to be stored alone. So is a row that changes the
 * subscription or the topics of a contact that exists, or says something about an address with an opt-out on record: `upsert_contacts` decides what it
 * may, and writes the act. New contacts are stored here with theirs.
 *
 * The statement gives its rows as the CTE `row` with `contactRowColumns` and any further columns, then `locatedContacts`, then a
 * CTE `accepted` of those located rows that are to be stored, then `storedContacts`, and selects `storedContactsCheck`.
 */
export const contactRowColumns = Prisma.sql`"project" uuid, "address" text, "newId" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean,
    "byDefault" boolean, "optOut" text, "isAlone" boolean, "said" jsonb`;

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
  /** it says more than `wanted` */
  isAlone: boolean;
  said: PreparedChange['said'];
}

/** Makes the rows of one statement. Requests that create the same contact give it the same id. */
export function contactRows(
  byDefault: boolean,
): (project: string, change: PreparedChange) => ContactRowInput {
  const ids = new Map<string, string>();
  return (project, { email, id, patch, lists, subscribed, optOut, yes, no, said }) => {
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
      isAlone:
        yes !== undefined ||
        no !== undefined ||
        (said?.basis ?? null) !== null ||
        (said?.always === true && subscribed !== null),
      said,
    };
  };
}

/** Requests that change a contact differently are stored one after the other. */
export const contactLock = (
  project: string,
  { email, patch, lists, subscribed, yes, no }: PreparedChange,
): Lock => ({
  name: `${project}/${email}`,
  value: `${subscribed}${JSON.stringify(patch)}${lists ? JSON.stringify(lists) : ''}${yes || no ? JSON.stringify([yes, no]) : ''}`,
});

const contactById = (mode: 'KEY SHARE' | 'NO KEY UPDATE', condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT c."id", c."data", c."subscribed", c."snoozedUntil", c."stated" FROM "Contact" c
    WHERE c."id" = seen."id" AND c."projectId" = r."project" AND c."email" = r."address" AND ${condition}
    FOR ${constant(mode)} SKIP LOCKED`;

/** Whether the change `r` says nothing of the subscription that does not hold already for a contact. */
const saysNothing = (contact: string): Prisma.Sql =>
  constant(
    `(r."wanted" IS NULL OR (r."wanted" = ${contact}."subscribed" AND ${contact}."snoozedUntil" IS NULL AND ${contact}."stated"))`,
  );

/** Whether the change `r` leaves the contact `c` as it is. */
const unchanged = Prisma.sql`patched_data(c."data", r."patch", r."lists") = c."data" AND ${saysNothing('c')}`;

/**
 * The CTE `located`: every row of `row`, in the order of the addresses, with the contact as it will be after the statement. Contacts
 * that change are locked against changes, the others only against deletion; both until the transaction ends.
 */
export const locatedContacts = Prisma.sql`
"found" AS MATERIALIZED (
  SELECT r.*, coalesce(kept."id", changing."id") AS "foundId", kept."id" IS NOT NULL AS "isKept",
    r."isAlone" OR seen."id" IS NOT NULL AND kept."id" IS NULL AND changing."id" IS NULL
      OR coalesce(changing."id" IS NOT NULL AND NOT ${saysNothing('changing')}, false)
      OR r."wanted" IS NOT NULL AND kept."id" IS NULL AND gone."byRecipient" IS NOT NULL AS "isBusy",
    coalesce(kept."data", patched_data(coalesce(changing."data", '{}'), r."patch", r."lists")) AS "data",
    coalesce(kept."subscribed", changing."subscribed") AS "before", gone."byRecipient" AS "recorded"
  FROM (SELECT * FROM "row" ORDER BY "project", "address") r
  LEFT JOIN LATERAL (
    SELECT c."id", ${unchanged} AS "isSame" FROM "Contact" c WHERE c."projectId" = r."project" AND c."email" = r."address" LIMIT 1
  ) seen ON true
  LEFT JOIN LATERAL (${contactById('KEY SHARE', Prisma.sql`seen."isSame" AND ${unchanged}`)}) kept ON true
  LEFT JOIN LATERAL (${contactById('NO KEY UPDATE', Prisma.sql`NOT seen."isSame"`)}) changing ON true
  LEFT JOIN LATERAL (
    SELECT o."byRecipient" FROM "OptOut" o WHERE o."projectId" = r."project" AND o."addressHash" = decode(r."optOut", 'hex') LIMIT 1
  ) gone ON true
), "located" AS MATERIALIZED (
  SELECT f.*, coalesce(f."foundId", f."newId") AS "contactId",
    coalesce(f."before", f."wanted", f."byDefault" AND f."recorded" IS NULL) AS "subscribed",
    f."foundId" IS NULL AND coalesce(NOT f."wanted", f."recorded" IS NOT NULL) AS "leaves",
    -- Compact JSON, which the limit counts, has no blank after colons and commas; PostgreSQL prints them.
    NOT f."isKept" AND octet_length(f."data"::text) > ${constant(dataLimitBytes)}
      AND octet_length(f."data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(f."data")) + 1 > ${constant(dataLimitBytes)} AS "isTooLarge"
  FROM "found" f
)`;

/**
 * The CTEs that write the contacts of `accepted`, each once, with the acts of new ones. A new contact is
 * inserted with its `newId`: if it exists by now, nothing is written, and `storedContactsCheck` aborts the statement.
 */
export const storedContacts = Prisma.sql`
"writing" AS MATERIALIZED (
  SELECT w.*, CASE WHEN w."foundId" IS NOT NULL THEN 1 WHEN w."subscribed" OR w."leaves" THEN nextval('"ConsentSeq"') ELSE 0 END AS "seq"
  FROM (SELECT DISTINCT ON ("project", "address") * FROM "accepted" WHERE NOT "isKept" ORDER BY "project", "address") w
), "stored" AS (
  INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data", "stated", "optOutBy", "optedOutAt", "consentSeq", "consentBasis", "consentedAt")
  SELECT "contactId", "project", "address", "subscribed", "data", "subscribed" OR "leaves",
    CASE WHEN "leaves" THEN CASE WHEN "recorded" THEN 'recipient' ELSE 'request' END END::"OptOutBy",
    CASE WHEN "leaves" AND "recorded" THEN now() END, "seq", CASE WHEN "subscribed" THEN 'default' END::"ConsentBasis", CASE WHEN "subscribed" THEN now() END FROM "writing"
  ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = excluded."data", "updatedAt" = now()
  WHERE c."id" = excluded."id"
  RETURNING true
), "acts" AS (
  INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "action", "effect", "source", "actor", "actorId", "keyName", "basis", "optOutBy", "page", "ip",
    "userAgent")
  SELECT w."seq", w."project", w."contactId", CASE WHEN w."subscribed" THEN 'subscribe' ELSE 'unsubscribe' END::"ConsentAction", 'changed',
    coalesce(s."source", 'api'), coalesce(s."actor", 'key'), s."actorId", s."keyName", CASE WHEN w."subscribed" THEN 'default' END::"ConsentBasis",
    CASE WHEN w."leaves" THEN CASE WHEN w."recorded" THEN 'recipient' ELSE 'request' END END::"OptOutBy", s."page", s."ip", s."userAgent"
  FROM "writing" w LEFT JOIN LATERAL jsonb_to_record(w."said") AS s("source" "ConsentSource", "actor" "ConsentActor", "actorId" uuid, "keyName" text,
    "page" text, "ip" text, "userAgent" text) ON true
  WHERE w."foundId" IS NULL AND w."seq" > 0
)`;

/** A column of the main query, which also names the source of new contacts; aborts the statement when a contact was created by another transaction in the meantime. */
export const storedContactsCheck = (source: ContactSource): Prisma.Sql => Prisma.sql`
  CASE WHEN (SELECT ${namedSource(source)}) IS NULL OR (SELECT count(*) FROM "stored") <> (SELECT count(*) FROM "writing") THEN refuse('repeat') END`;
