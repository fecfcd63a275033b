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
  /** its data would be larger than a contact's may be: nothing was changed */
  isTooLarge: boolean;
}

export interface ContactChangeById extends ContactChange {
  id: string;
}

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
  const input = changes.flatMap(({ id, ...change }) =>
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
  const rows = await db.$queryRaw<(UpdatedContact & { id: string })[]>`
    WITH "held" AS MATERIALIZED (
      SELECT r.*, c."subscribed" AS "before", c."updatedAt", patched_data(c."data", r."patch", r."lists") AS "data",
        patched_data(c."data", r."patch", r."lists") = c."data"
          AND (r."wanted" IS NULL OR (r."wanted" = c."subscribed" AND c."snoozedUntil" IS NULL)) AS "isSame"
      FROM (SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
        AS r("id" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean, "optOut" text) ORDER BY "id") r
      CROSS JOIN LATERAL (
        SELECT c."data", c."subscribed", c."snoozedUntil", c."updatedAt" FROM "Contact" c
        WHERE c."id" = r."id" AND ${ofProject('c."projectId"', projectId)} FOR NO KEY UPDATE SKIP LOCKED) c
    ), "sized" AS MATERIALIZED (
      SELECT h.*,
        -- Compact JSON, which the limit counts, has no blank after colons and commas; PostgreSQL prints them.
        NOT h."isSame" AND octet_length(h."data"::text) > ${constant(dataLimitBytes)}
          AND octet_length(h."data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(h."data")) + 1 > ${constant(dataLimitBytes)} AS "isTooLarge"
      FROM "held" h
    ), "writing" AS MATERIALIZED (SELECT * FROM "sized" WHERE NOT "isSame" AND NOT "isTooLarge"
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
    SELECT "id", "data", coalesce("wanted", "before") AS "subscribed", CASE WHEN "isSame" THEN "updatedAt" ELSE now() END AS "updatedAt",
      coalesce("wanted" <> "before", false) AS "flipped", "isTooLarge" FROM "sized"`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
