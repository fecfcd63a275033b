import type { PoolClient } from 'pg';
import { type Database, type Db, Prisma, prepared } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { longestCapHours } from '../../people/projects/contact-limits.schema.ts';
import { firstIdOf } from './retention.rules.ts';

/** An email that asks for a slot of its contact (behaviour B14.8). */
export interface SlotRequest {
  emailId: string;
  contactId: string;
  /** of a campaign: other email goes first */
  isBulk: boolean;
  /** until when it waits for a slot, in milliseconds since 1970 by the database's clock */
  waitsUntil: number;
}

export interface Cap {
  max: number;
  hours: number;
}

export interface Slot {
  id: string;
  isGranted: boolean;
  /** of one that is not granted: when a slot is expected for it, in milliseconds since 1970 */
  freeAt: number | null;
}

const hourMs = 3_600_000;

const take = prepared<{
  projectId: string;
  contacts: string[];
  emails: string[];
  bulks: boolean[];
  ends: number[];
  most: number[];
  spans: number[];
}>(
  'take-contact-slots',
  ({ projectId, contacts, emails, bulks, ends, most, spans }) => Prisma.sql`
SELECT "id", "isGranted", "freeAt" FROM take_contact_slots(${projectId}::uuid, ${contacts}::uuid[], ${emails}::uuid[], ${bulks}::boolean[],
  ${ends}::float8[], ${most}::int[], ${spans}::float8[])`,
);

/**
 * Gives emails of one project slots of their contacts: one for an email that has one already, and to the others in their turn as far as the
 * caps allow. Each email may occur once.
 *
 * Its commit need not be durable: that of the beginning of a message is, and with it all that was committed before.
 */
export async function takeContactSlots(
  client: PoolClient,
  projectId: string,
  requests: readonly SlotRequest[],
  caps: readonly Cap[],
): Promise<Map<string, Slot>> {
  const { rows } = await client.query<Slot>(
    take({
      projectId,
      contacts: requests.map(({ contactId }) => contactId),
      emails: requests.map(({ emailId }) => emailId),
      bulks: requests.map(({ isBulk }) => isBulk),
      ends: requests.map(({ waitsUntil }) => waitsUntil),
      most: caps.map(({ max }) => max),
      spans: caps.map(({ hours }) => hours * hourMs),
    }),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** How many emails of a campaign wait for what. */
export interface HeldCounts {
  cap: number;
  quietHours: number;
}

export const noneHeld: HeldCounts = { cap: 0, quietHours: 0 };

/** The emails of campaigns that wait for the limits of their contacts, by campaign; those of which none does are missing. */
export async function countHeld(
  db: Db,
  projectId: string,
  campaignIds: readonly string[],
): Promise<Map<string, HeldCounts>> {
  const rows = await db.$queryRaw<(HeldCounts & { id: string })[]>(Prisma.sql`
    SELECT "campaignId" AS "id", coalesce(sum(cardinality("emailIds")) FILTER (WHERE "heldBy" = 'cap'), 0)::int AS "cap",
      coalesce(sum(cardinality("emailIds")) FILTER (WHERE "heldBy" = 'quiet_hours'), 0)::int AS "quietHours"
    FROM "DeliveryBatch" WHERE "projectId" = ${projectId}::uuid AND "campaignId" = ANY(${[...campaignIds]}::uuid[]) AND "token" IS NULL
      AND NOT "held" AND "heldBy" IS NOT NULL AND "nextAttemptAt" > now()
    GROUP BY 1`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** A process that has read the earlier limits holds email by them for a moment longer. */
const overlapMs = 60_000;
const batchesAtOnce = 5_000;
const contactsAtOnce = 1_000;

/**
 * Has email that waits for the limits of its contact looked at again where these have changed, and the first of a contact one of whose slots was
 * given back. Runs every minute.
 *
 * @param settledMs how long after a change no process holds email by what was before
 * @returns how many batches became due
 */
export async function bringHeldForward(
  { database }: Pick<Services, 'database'>,
  settledMs = overlapMs,
): Promise<number> {
  let moved = 0;
  const changed = await database.prisma.$queryRaw<{ id: string; at: Date }[]>`
    SELECT "id", "limitsChangedAt" AS "at" FROM "Project"
    WHERE "limitsChangedAt" < clock_timestamp() - ${settledMs}::float8 * interval '1 millisecond' ORDER BY "limitsChangedAt" LIMIT 1000`;
  for (const { id, at } of changed) moved += await releaseHeld(database.prisma, id, at, settledMs);
  for (;;) {
    const count = await releaseFirst(database);
    moved += count.batches;
    if (count.contacts < contactsAtOnce) return moved;
  }
}

/** Batches that were held since are held by the limits of now: their ids are of later. */
async function releaseHeld(db: Db, projectId: string, changedAt: Date, settledMs: number): Promise<number> {
  const before = firstIdOf(new Date(changedAt.getTime() + settledMs));
  let moved = 0;
  for (;;) {
    const count = await db.$executeRaw`
      UPDATE "DeliveryBatch" SET "nextAttemptAt" = clock_timestamp() WHERE "id" IN (
        SELECT "id" FROM "DeliveryBatch"
        WHERE "projectId" = ${projectId}::uuid AND "token" IS NULL AND NOT "held" AND "heldBy" IS NOT NULL
          AND "nextAttemptAt" > clock_timestamp() AND "id" < ${before}::uuid
        ORDER BY "id" LIMIT ${batchesAtOnce}::int FOR UPDATE SKIP LOCKED)`;
    moved += count;
    if (count < batchesAtOnce) break;
  }
  await db.$executeRaw`
    UPDATE "Project" SET "limitsChangedAt" = NULL WHERE "id" = ${projectId}::uuid AND "limitsChangedAt" = ${changedAt}::timestamptz`;
  return moved;
}

/** Gives the first waiting email of contacts with a freed slot a batch of its own that is due, so that the others of its batch stay. */
async function releaseFirst({ prisma }: Database): Promise<{ contacts: number; batches: number }> {
  const [row] = await prisma.$queryRaw<{ contacts: number; batches: number }[]>`
    WITH freed AS MATERIALIZED (
      SELECT "contactId", "waiting" FROM "ContactLimit" WHERE "freedAt" IS NOT NULL ORDER BY "contactId" LIMIT ${contactsAtOnce}::int FOR NO KEY UPDATE SKIP LOCKED
    ), told AS (
      UPDATE "ContactLimit" l SET "freedAt" = NULL FROM freed f WHERE l."contactId" = f."contactId"
    ), first AS MATERIALIZED (
      SELECT w."id" FROM freed f CROSS JOIN LATERAL (
        SELECT e.key::uuid AS "id" FROM jsonb_each(f."waiting") AS e ORDER BY e.value ->> 0, e.key::uuid LIMIT 1) w
    ), batch AS MATERIALIZED (
      SELECT b.*, uuid7() AS "fresh" FROM "DeliveryBatch" b
      WHERE b."id" IN (SELECT e."batchId" FROM first f JOIN "Email" e ON e."id" = f."id" WHERE e."batchId" IS NOT NULL)
        AND b."token" IS NULL AND b."heldBy" = 'cap'
      ORDER BY b."id" FOR UPDATE SKIP LOCKED
    ), part AS MATERIALIZED (
      SELECT b."id", b."fresh", array_agg(u."id" ORDER BY u.n) AS ids
      FROM batch b CROSS JOIN LATERAL unnest(b."emailIds") WITH ORDINALITY AS u("id", n) WHERE u."id" IN (SELECT "id" FROM first) GROUP BY 1, 2
    ), made AS (
      INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "again", "nextAttemptAt", "firstAnsweredAt", "heldBy", "heldSince", "wave", "trace", "emailIds")
      SELECT b."fresh", b."projectId", b."campaignId", b."domainId", b."priority", b."again", clock_timestamp(), b."firstAnsweredAt", b."heldBy", b."heldSince", b."wave", b."trace", p.ids
      FROM batch b JOIN part p ON p."id" = b."id"
    ), shortened AS (
      UPDATE "DeliveryBatch" b SET "emailIds" = ARRAY(SELECT u FROM unnest(b."emailIds") WITH ORDINALITY AS u(u, n) WHERE u <> ALL(p.ids) ORDER BY n)
      FROM part p WHERE b."id" = p."id" AND cardinality(b."emailIds") > cardinality(p.ids)
    ), ended AS (
      DELETE FROM "DeliveryBatch" b USING part p WHERE b."id" = p."id" AND cardinality(b."emailIds") = cardinality(p.ids)
    ), left_batch AS (
      UPDATE "Email" e SET "batchId" = p."fresh" FROM part p WHERE e."id" = ANY(p.ids) AND e."batchId" = p."id"
    )
    SELECT (SELECT count(*) FROM freed)::int AS "contacts", (SELECT count(*) FROM part)::int AS "batches"`;
  return row ?? { contacts: 0, batches: 0 };
}

/**
 * Removes a batch of rows of which nothing counts for any cap any more, and those of contacts that were deleted while a claim made one.
 * @returns how many
 */
export const removeContactSlots = (db: Db, now: Date, limit: number): Promise<number> => db.$executeRaw`
  DELETE FROM "ContactLimit" WHERE "contactId" IN (
    SELECT l."contactId" FROM "ContactLimit" l
    WHERE NOT EXISTS (SELECT FROM jsonb_each_text(l."sent") AS s WHERE s.value::float8 > ${now.getTime() - longestCapHours * hourMs}::float8)
      AND NOT EXISTS (SELECT FROM jsonb_each(l."waiting") AS w WHERE (w.value ->> 1)::float8 > ${now.getTime() - hourMs}::float8)
      OR NOT EXISTS (SELECT FROM "Contact" c WHERE c."id" = l."contactId")
    LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
