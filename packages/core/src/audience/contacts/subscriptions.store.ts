import { type Db, Prisma } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import { hashedAddress, type Saying, writeConsents } from '../consent/index.ts';

export interface SubscriptionChange {
  projectId: string;
  ids: readonly string[];
  subscribed: boolean;
  said: Saying;
}

export interface SubscriptionsChanged {
  /** contacts that exist in the project */
  found: Set<string>;
  /** how many of them had the opposite value before */
  flipped: number;
  /** those whose opt-out or pause the caller may not end */
  refused: Set<string>;
}

/** Writes `subscribed` of many contacts with the act of each, in email order. Runs within the caller's transaction. */
export async function changeSubscriptions(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  { projectId, ids, subscribed, said }: SubscriptionChange,
): Promise<SubscriptionsChanged> {
  // The hash of an address is needed where it may be subscribed: an opt-out on record counts, and is removed.
  const rows = await db.$queryRaw<{ id: string; email: string }[]>`
    SELECT "id", "email" FROM "Contact"
    WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[]) ORDER BY "email" FOR NO KEY UPDATE`;
  const done = await writeConsents(
    db,
    projectId,
    said,
    rows.map(({ id, email }) => ({
      ...{ contact: id, kind: 'state', wanted: subscribed },
      ...(subscribed && { optOut: hashedAddress(secrets, projectId, email) }),
    })),
  );
  return {
    found: new Set(rows.map(({ id }) => id)),
    flipped: done.filter(({ flipped }) => flipped).length,
    refused: new Set(done.flatMap(({ contactId, refusal }) => (refusal === null ? [] : contactId))),
  };
}

/** Keyed hashes of addresses, as hex: the database driver cannot pass arrays of bytes. */
const hashesOf = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  rows: readonly { email: string }[],
): string[] => rows.map(({ email }) => secrets.addressHash(projectId, email).toString('hex'));

/** An address that is not subscribed, and whether its recipient or a bounce opted out. */
export interface OptedOut {
  email: string;
  byRecipient: boolean;
}

const optOutBy = Prisma.sql`opt_out_by(c."subscribed", c."snoozedUntil", c."stated", c."optOutBy", c."subscriptionChangedAt", c."optedOutAt")`;

/** `byRecipient` of `"Contact" c`: an opt-out of the recipient or a bounce, or a pause, which is the recipient's as well. */
export const byRecipient = Prisma.sql`(NOT c."subscribed" AND (c."snoozedUntil" IS NOT NULL OR coalesce(${optOutBy} = 'recipient', false)))`;

/** Whether an opt-out of the address survives `"Contact" c`: one that was never stated does not (behaviour B4.5). */
export const survives = Prisma.sql`(NOT c."subscribed" AND (c."stated" OR c."snoozedUntil" IS NOT NULL))`;

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
    WHERE c."projectId" = ${projectId}::uuid AND c."id" = ANY(${[...ids]}::uuid[]) AND NOT c."subscribed" AND c."snoozedUntil" IS NULL
      AND c."stated"`;
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

/** The opt-out of an address that is on record; null without one. */
export const findOptOut = (
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  email: string,
): Promise<{ byRecipient: boolean } | null> => {
  const addressHash = Uint8Array.from(secrets.addressHash(projectId, email));
  return db.optOut.findUnique({
    where: { projectId_addressHash: { projectId, addressHash } },
    select: { byRecipient: true },
  });
};

/**
 * Subscribes contacts whose snooze has ended, at most `limit`, with their acts and events (behaviour B3.2). Those that another transaction holds
 * are left for the next look. `db` must be a transaction.
 *
 * @returns the projects of these contacts, and their number
 */
export async function endSnoozes(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ projectIds: string[]; ended: number }> {
  const due = await db.$queryRaw<{ projectId: string; ids: string[] }[]>(Prisma.sql`
    SELECT "projectId", array_agg("id"::text) AS "ids" FROM (
      SELECT "id", "projectId" FROM "Contact" WHERE "snoozedUntil" <= ${now}
      ORDER BY "projectId", "email" LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) d
    GROUP BY "projectId" ORDER BY "projectId"`);
  for (const { projectId, ids } of due)
    await writeConsents(
      db,
      projectId,
      { by: 'recipient', source: 'snooze_ended', actor: 'system', reason: 'snooze_ended' },
      ids.map((contact) => ({ contact, kind: 'resume' })),
    );
  return {
    projectIds: due.map(({ projectId }) => projectId),
    ended: due.reduce((sum, { ids }) => sum + ids.length, 0),
  };
}
