import { type Db, Prisma } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../base/event-types/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import type { FlipReason } from './contacts.rules.ts';

export interface SubscriptionChange {
  projectId: string;
  ids: readonly string[];
  subscribed: boolean;
  reason: FlipReason;
}

export interface SubscriptionsChanged {
  /** contacts that exist in the project */
  found: Set<string>;
  /** how many of them had the opposite value before */
  flipped: number;
}

/**
 * Writes `subscribed` of many contacts: ends their snoozes, emits an event for every change, and removes the
 * opt-outs of those now subscribed. Contacts are locked in email order. Runs within the caller's transaction.
 */
export async function changeSubscriptions(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  { projectId, ids, subscribed, reason }: SubscriptionChange,
): Promise<SubscriptionsChanged> {
  const rows = await db.$queryRaw<{ id: string; email: string; subscribed: boolean }[]>`
    SELECT "id", "email", "subscribed" FROM "Contact"
    WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[]) ORDER BY "email" FOR UPDATE`;
  const found = new Set(rows.map(({ id }) => id));
  const flipped = rows.filter((row) => row.subscribed !== subscribed).map(({ id }) => id);
  await db.$executeRaw`
    UPDATE "Contact" SET "subscribed" = ${subscribed}, "snoozedUntil" = NULL, "updatedAt" = now(),
      "subscriptionChangedAt" = CASE WHEN "subscribed" <> ${subscribed} THEN now() ELSE "subscriptionChangedAt" END
    WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...found]}::uuid[])
      AND ("subscribed" <> ${subscribed} OR "snoozedUntil" IS NOT NULL)`;
  await tellFlips(db, projectId, flipped, subscribed, reason);
  if (subscribed) await forgetOptOuts(db, hashesOf(secrets, projectId, rows), projectId);
  return { found, flipped: flipped.length };
}

async function tellFlips(
  db: Db,
  projectId: string,
  contactIds: string[],
  subscribed: boolean,
  reason: FlipReason,
): Promise<void> {
  if (contactIds.length === 0) return;
  await db.$executeRaw`
    ${insertEvents}
    ${eventRow({
      ...storedAs(subscribed ? 'contact.subscribed' : 'contact.unsubscribed'),
      projectId: Prisma.sql`${projectId}::uuid`,
      data: Prisma.sql`jsonb_build_object('reason', ${reason}::text)`,
      contactId: Prisma.sql`u.id`,
    })}
    FROM unnest(${contactIds}::uuid[]) AS u(id)`;
}

/** Keyed hashes of addresses, as hex: the database driver cannot pass arrays of bytes. */
const hashesOf = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  rows: readonly { email: string }[],
): string[] => rows.map(({ email }) => secrets.addressHash(projectId, email).toString('hex'));

async function forgetOptOuts(db: Db, hashes: string[], projectId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "OptOut" WHERE "projectId" = ${projectId}::uuid
      AND "addressHash" IN (SELECT decode(u.hash, 'hex') FROM unnest(${hashes}::text[]) AS u(hash))`;
}

/** An address that is not subscribed, and whether its recipient or a bounce opted out. */
export interface OptedOut {
  email: string;
  byRecipient: boolean;
}

/** `byRecipient` of `"Contact" c`. */
export const byRecipient = Prisma.sql`opted_out(c."subscribed", c."subscriptionChangedAt", c."optedOutAt")`;

export async function isByRecipient(db: Db, projectId: string, contactId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ byRecipient: boolean }[]>`
    SELECT ${byRecipient} AS "byRecipient" FROM "Contact" c
    WHERE c."projectId" = ${projectId}::uuid AND c."id" = ${contactId}::uuid`;
  return row?.byRecipient ?? false;
}

/** Who unsubscribed these contacts, by id: the recipient (or a bounce), or a request. Without those that are subscribed or snoozed. */
export async function unsubscribedBy(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, 'recipient' | 'request'>> {
  const rows = await db.$queryRaw<{ id: string; byRecipient: boolean }[]>`
    SELECT c."id", ${byRecipient} AS "byRecipient" FROM "Contact" c
    WHERE c."projectId" = ${projectId}::uuid AND c."id" = ANY(${[...ids]}::uuid[]) AND NOT c."subscribed" AND c."snoozedUntil" IS NULL`;
  return new Map(rows.map((row) => [row.id, row.byRecipient ? 'recipient' : 'request']));
}

/** Stores the opt-outs of addresses whose contacts are deleted or change their address. */
export async function rememberOptOuts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  rows: readonly OptedOut[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient")
    SELECT ${projectId}::uuid, decode(u.hash, 'hex'), u.by_recipient
    FROM unnest(${hashesOf(secrets, projectId, rows)}::text[], ${rows.map((row) => row.byRecipient)}::boolean[]) AS u(hash, by_recipient)
    ORDER BY u.hash
    ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE excluded."byRecipient" AND NOT o."byRecipient"`;
}

export async function isOptedOut(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  email: string,
): Promise<boolean> {
  const addressHash = Uint8Array.from(secrets.addressHash(projectId, email));
  return (await db.optOut.count({ where: { projectId, addressHash } })) > 0;
}

/**
 * Subscribes contacts whose snooze has ended, at most `limit`, and emits their events (behaviour B3.2), in one statement.
 *
 * @returns the projects of these contacts, and their number
 */
export async function endSnoozes(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ projectIds: string[]; ended: number }> {
  const rows = await db.$queryRaw<{ projectId: string; ended: number }[]>(Prisma.sql`
    WITH "due" AS MATERIALIZED (
      SELECT "id", "projectId", "subscribed" FROM "Contact" WHERE "snoozedUntil" <= ${now}
      ORDER BY "projectId", "email" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), "woken" AS (
      UPDATE "Contact" c SET "subscribed" = true, "snoozedUntil" = NULL, "updatedAt" = now(),
        "subscriptionChangedAt" = CASE WHEN c."subscribed" THEN c."subscriptionChangedAt" ELSE now() END
      FROM "due" WHERE c."id" = "due"."id" RETURNING c."id"
    ), "told" AS (
      ${insertEvents}
      ${eventRow({
        ...storedAs('contact.subscribed'),
        projectId: Prisma.sql`"projectId"`,
        data: Prisma.sql`jsonb_build_object('reason', 'snooze_ended')`,
        contactId: Prisma.sql`"id"`,
      })}
      FROM "due" WHERE NOT "subscribed"
    )
    SELECT "projectId", count(*)::int AS "ended" FROM "due" GROUP BY "projectId"`);
  return {
    projectIds: rows.map(({ projectId }) => projectId),
    ended: rows.reduce((sum, { ended }) => sum + ended, 0),
  };
}
