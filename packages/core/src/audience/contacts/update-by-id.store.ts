import { byKey, constant, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import { type Saying, type Statement, writeConsents } from '../consent/index.ts';
import { type ContactChange, dataLimitBytes } from './contacts.rules.ts';
import { type PreparedChange, prepareChanges } from './contacts.store.ts';

/** A contact after its change. */
export interface UpdatedContact {
  data: Record<string, unknown>;
  subscribed: boolean;
  updatedAt: Date;
  flipped: boolean;
  /** an opt-out or a pause of the recipient, which it does not end: the subscription, or a topic, stays as it is */
  isRefused: boolean;
  /** its data would be larger than a contact's may be: nothing was changed */
  isTooLarge: boolean;
}

export interface ContactChangeById extends ContactChange {
  id: string;
  /** the execution of a workflow that makes it */
  executionId?: string;
}

/** What a change `r` makes of a contact `c`: parts of a statement, whose CTE is `held`. */
const changed =
  constant(`r.*, c."subscribed" AS "before", c."updatedAt", patched_data(c."data", r."patch", r."lists") AS "data",
  patched_data(c."data", r."patch", r."lists") = c."data" AS "hasSameData",
  patched_data(c."data", r."patch", r."lists") = c."data"
    AND (r."wanted" IS NULL OR (r."wanted" = c."subscribed" AND c."snoozedUntil" IS NULL)) AS "isSame"`);

const sized = Prisma.sql`
  SELECT h.*,
    -- Compact JSON, which the limit counts, has no blank after colons and commas; PostgreSQL prints them.
    NOT h."hasSameData" AND octet_length(h."data"::text) > ${constant(dataLimitBytes)}
      AND octet_length(h."data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(h."data")) + 1 > ${constant(dataLimitBytes)} AS "isTooLarge"
  FROM "held" h`;

const told = constant(
  `coalesce("wanted", "before") AS "subscribed", coalesce("wanted" <> "before", false) AS "flipped", "isTooLarge"`,
);

/**
 * Changes contacts that exist, each once, by the rules of the upserts (upsert-contacts.sql): what is said of their subscription is written with
 * its act. A contact that another transaction holds is not waited for. `db` must be a transaction.
 *
 * @param changes each of another contact
 * @returns by the ids of the contacts; those that are held by others, or gone, are not in it
 */
export async function updateContactsById(
  db: SqlDb,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChangeById[],
  said: Saying,
): Promise<Map<string, UpdatedContact>> {
  const input = inputOf(secrets, projectId, changes);
  const rows = await db.$queryRaw<(Omit<UpdatedContact, 'isRefused'> & { id: string; now: Date })[]>`
    WITH "held" AS MATERIALIZED (
      SELECT ${changed}
      FROM (SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
        AS r("id" uuid, "patch" jsonb, "lists" jsonb, "wanted" boolean, "optOut" text) ORDER BY "id") r
      CROSS JOIN LATERAL (
        SELECT c."data", c."subscribed", c."snoozedUntil", c."updatedAt" FROM "Contact" c
        WHERE c."id" = r."id" AND ${ofProject('c."projectId"', projectId)} FOR NO KEY UPDATE SKIP LOCKED) c
    ), "sized" AS MATERIALIZED (${sized}), "writing" AS MATERIALIZED (
      SELECT * FROM "sized" WHERE NOT "hasSameData" AND NOT "isTooLarge"
    ), "written" AS (
      UPDATE "Contact" c SET "data" = w."data", "updatedAt" = now()
      FROM "writing" w WHERE ${byKey('c."id"', 'w."id"')}
    )
    SELECT "id", "data", CASE WHEN "hasSameData" THEN "updatedAt" ELSE now() END AS "updatedAt", "before" AS "subscribed", false AS "flipped",
      "isTooLarge", now() AS "now"
    FROM "sized"`;
  const updated = new Map(rows.map(({ id, now: _, ...row }) => [id, { ...row, isRefused: false }]));
  const now = rows[0]?.now;
  const stating = input.flatMap(({ id, wanted, yes, no, optOut, executionId }): Statement[] => {
    const row = updated.get(id);
    if (!row || row.isTooLarge || (wanted === null && !yes && !no)) return [];
    return [
      {
        contact: id,
        kind: 'state',
        wanted,
        ...(yes && { yes }),
        ...(no && { no }),
        optOut: optOut ?? null,
        executionId: executionId ?? null,
      },
    ];
  });
  for (const done of await writeConsents(db, projectId, said, stating)) {
    const row = updated.get(done.contactId);
    if (!row || !now) continue;
    updated.set(done.contactId, {
      ...row,
      subscribed: done.subscribed,
      flipped: done.flipped,
      isRefused: done.refusal !== null,
      ...(done.effect === 'changed' && { updatedAt: now }),
    });
  }
  return updated;
}

const inputOf = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChangeById[],
) =>
  changes.flatMap(({ id, executionId, ...change }) =>
    prepareChanges(secrets, projectId, [change], false).map(
      ({ patch, lists, subscribed, optOut, yes, no }: PreparedChange) => ({
        id,
        patch,
        lists,
        wanted: subscribed,
        optOut,
        yes,
        no,
        executionId,
      }),
    ),
  );

/** A change of a contact that is given. */
export interface TriedChange {
  change: ContactChangeById;
  before: {
    data: Record<string, unknown>;
    subscribed: boolean;
    isSnoozed: boolean;
    /** its opt-out, if it has one, is the recipient's, so that the change does not end it */
    isOwn?: boolean;
  };
}

/** A contact after a change that was not written. */
export type TriedContact = Omit<UpdatedContact, 'updatedAt'> & { isSame: boolean };

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
      -- What the recipient ended, or paused, a workflow does not begin again.
      CROSS JOIN LATERAL (SELECT coalesce(t."wanted" AND ((t."before" -> 'isSnoozed')::boolean OR (t."before" -> 'isOwn')::boolean)
        AND NOT (t."before" -> 'subscribed')::boolean, false) AS "isRefused") x
      CROSS JOIN LATERAL (SELECT t."id", t."patch", t."lists", x."isRefused", CASE WHEN NOT x."isRefused" THEN t."wanted" END AS "wanted") r
      CROSS JOIN LATERAL (SELECT t."before" -> 'data' AS "data", (t."before" -> 'subscribed')::boolean AS "subscribed", now() AS "updatedAt",
        CASE WHEN (t."before" -> 'isSnoozed')::boolean THEN now() END AS "snoozedUntil") c
    ), "sized" AS MATERIALIZED (${sized})
    SELECT "id", "data", "isSame", "isRefused", ${told} FROM "sized"`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
