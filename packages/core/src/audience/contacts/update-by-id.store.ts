import { byKey, constant, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWhere } from '../../base/event-types/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import { type ContactChange, dataLimitBytes, type FlipReason } from './contacts.rules.ts';
import { type PreparedChange, prepareChanges } from './contacts.store.ts';

/** A contact after its change. */
export interface UpdatedContact {
  data: Record<string, unknown>;
  subscribed: boolean;
  updatedAt: Date;
  flipped: boolean;
  /** there was nothing to change */
  isSame: boolean;
  /** its data would be larger than a contact's may be: nothing was changed */
  isTooLarge: boolean;
}

export interface ContactChangeById extends ContactChange {
  id: string;
}

/** What a change `r` makes of a contact `c`: parts of a statement, whose CTE is `held`. */
const changed =
  constant(`r.*, c."subscribed" AS "before", c."updatedAt", patched_data(c."data", r."patch", r."lists") AS "data",
  patched_data(c."data", r."patch", r."lists") = c."data"
    AND (r."wanted" IS NULL OR (r."wanted" = c."subscribed" AND c."snoozedUntil" IS NULL)) AS "isSame"`);

const sized = Prisma.sql`
  SELECT h.*,
    -- Compact JSON, which the limit counts, has no blank after colons and commas; PostgreSQL prints them.
    NOT h."isSame" AND octet_length(h."data"::text) > ${constant(dataLimitBytes)}
      AND octet_length(h."data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(h."data")) + 1 > ${constant(dataLimitBytes)} AS "isTooLarge"
  FROM "held" h`;

const told = constant(
  `coalesce("wanted", "before") AS "subscribed", coalesce("wanted" <> "before", false) AS "flipped", "isTooLarge"`,
);

/**
 * Changes contacts that exist, each once, by the rules of the upserts (upsert-contacts.sql): with events of flips, and opt-outs on record that
 * a subscription removes. A contact that another transaction holds is not waited for.
 *
 * @param changes each of another contact
 * @returns by the ids of the contacts; those that are held by others, or gone, are not in it
 */
export async function updateContactsById(
  db: SqlDb,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChangeById[],
  reason: FlipReason,
): Promise<Map<string, UpdatedContact>> {
  const input = inputOf(secrets, projectId, changes);
  const rows = await db.$queryRaw<(UpdatedContact & { id: string })[]>`
    WITH "held" AS MATERIALIZED (
      SELECT ${changed}
      FROM (SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
        AS r("id" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean, "optOut" text) ORDER BY "id") r
      CROSS JOIN LATERAL (
        SELECT c."data", c."subscribed", c."snoozedUntil", c."updatedAt" FROM "Contact" c
        WHERE c."id" = r."id" AND ${ofProject('c."projectId"', projectId)} FOR NO KEY UPDATE SKIP LOCKED) c
    ), "sized" AS MATERIALIZED (${sized}), "writing" AS MATERIALIZED (SELECT * FROM "sized" WHERE NOT "isSame" AND NOT "isTooLarge"
    ), "written" AS (
      UPDATE "Contact" c SET "data" = w."data", "subscribed" = coalesce(w."wanted", c."subscribed"),
        "snoozedUntil" = CASE WHEN w."wanted" IS NULL THEN c."snoozedUntil" END,
        "subscriptionChangedAt" = CASE WHEN w."wanted" <> c."subscribed" THEN now() ELSE c."subscriptionChangedAt" END, "updatedAt" = now()
      FROM "writing" w WHERE ${byKey('c."id"', 'w."id"')}
    ), "flips" AS (
      ${insertEvents}
      ${eventRow({
        ...storedWhere([['"wanted"', 'contact.subscribed']], 'contact.unsubscribed'),
        projectId: Prisma.sql`${projectId}::uuid`,
        data: constant(`jsonb_build_object('reason', '${reason}')`),
        contactId: constant('"id"'),
      })}
      FROM "writing" WHERE "wanted" <> "before"
    ), "optedIn" AS (
      DELETE FROM "OptOut" o WHERE o."projectId" = ${projectId}::uuid AND o."addressHash" = ANY(ARRAY(
        SELECT decode(w."optOut", 'hex') FROM "writing" w WHERE w."wanted"))
    )
    SELECT "id", "data", "isSame", CASE WHEN "isSame" THEN "updatedAt" ELSE now() END AS "updatedAt", ${told} FROM "sized"`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

const inputOf = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChangeById[],
) =>
  changes.flatMap(({ id, ...change }) =>
    prepareChanges(secrets, projectId, [change], false).map(
      ({ patch, lists, subscribed, optOut }: PreparedChange) => ({
        id,
        patch,
        lists,
        wanted: subscribed,
        optOut,
      }),
    ),
  );

/** A change of a contact that is given. */
export interface TriedChange {
  change: ContactChangeById;
  before: { data: Record<string, unknown>; subscribed: boolean; isSnoozed: boolean };
}

/** A contact after a change that was not written. */
export type TriedContact = Omit<UpdatedContact, 'updatedAt'>;

/**
 * What changes would make of contacts, by the rules of `updateContactsById`. It only reads.
 *
 * @param tried each of another contact
 */
export async function tryContactChanges(
  db: SqlDb,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  tried: readonly TriedChange[],
): Promise<Map<string, TriedContact>> {
  if (tried.length === 0) return new Map();
  const input = tried.flatMap(({ change, before }) =>
    inputOf(secrets, projectId, [change]).map(({ optOut: _, ...row }) => ({ ...row, before })),
  );
  const rows = await db.$queryRaw<(TriedContact & { id: string })[]>`
    WITH "held" AS MATERIALIZED (
      SELECT ${changed}
      FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS t("id" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean, "before" jsonb)
      CROSS JOIN LATERAL (SELECT t."id", t."patch", t."lists", t."wanted") r
      CROSS JOIN LATERAL (SELECT t."before" -> 'data' AS "data", (t."before" -> 'subscribed')::boolean AS "subscribed", now() AS "updatedAt",
        CASE WHEN (t."before" -> 'isSnoozed')::boolean THEN now() END AS "snoozedUntil") c
    ), "sized" AS MATERIALIZED (${sized})
    SELECT "id", "data", "isSame", ${told} FROM "sized"`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
