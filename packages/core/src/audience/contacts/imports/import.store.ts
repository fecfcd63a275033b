import { type Db, Prisma, type SegmentType } from '../../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../../base/event-types/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import { simulatorPattern } from '../../../base/kernel/simulator.rules.ts';
import { Breath, newId } from '../../../base/lib/index.ts';
import { namedSource } from '../contact-source.ts';
import { dataLimitBytes } from '../contacts.rules.ts';
import { recallFormerSpellings } from '../former-spellings.store.ts';
import { byRecipient } from '../subscriptions.store.ts';
import { firstEntryStays } from '../suppressions/suppressions.store.ts';
import type { CellValue } from './cell-values.rules.ts';
import type { Said } from './consent.rules.ts';
import type { SuppressionEntry } from './rows.rules.ts';
import { takenIn } from './taken-ids.rules.ts';

/** The change an import makes to one address. */
export interface ImportedContact {
  email: string;
  /** null: it stays as it is */
  externalId: string | null;
  data: Record<string, CellValue>;
  said: Said;
  /** the end of a snooze */
  until: Date | null;
  /** no earlier batch has the address; people are counted once */
  isFirst: boolean;
}

/** Numbers of people by what an import does to their subscription. */
export interface ConsentCounts {
  subscribed: number;
  unsubscribed: number;
  optedOut: number;
}

export interface Imported extends ConsentCounts {
  /** number of addresses without a contact before */
  created: number;
  /** addresses whose contact would exceed the data limit */
  tooLarge: string[];
  /** addresses whose external id is that of another contact */
  taken: string[];
}

type Hashes = Pick<Secrets, 'addressHash'>;

const hashOf = (secrets: Hashes, projectId: string, email: string): string =>
  secrets.addressHash(projectId, email).toString('hex');

/** Keyed hashes of addresses, as hex: the database driver cannot pass arrays of bytes. */
const hashesOf = (secrets: Hashes, projectId: string, rows: readonly { email: string }[]): string[] =>
  rows.map(({ email }) => hashOf(secrets, projectId, email));

/** What the statement of an import takes besides the contacts themselves; computed while the database is busy with other ones. */
export interface RowsToImport {
  /** of the contacts that are new */
  ids: string[];
  hashes: string[];
  patches: string[];
}

export async function rowsToImport(
  secrets: Hashes,
  projectId: string,
  contacts: readonly ImportedContact[],
  breath = new Breath(),
): Promise<RowsToImport> {
  const rows: RowsToImport = { ids: [], hashes: [], patches: [] };
  for (const { email, data } of contacts) {
    if (breath.isDue) await breath.take();
    rows.ids.push(newId());
    rows.hashes.push(hashOf(secrets, projectId, email));
    rows.patches.push(JSON.stringify(data));
  }
  return rows;
}

const isOptedOut = (projectId: string, hash: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM "OptOut" o WHERE o."projectId" = ${projectId}::uuid AND o."addressHash" = decode(${hash}, 'hex'))`;

/**
 * Creates or updates many contacts in one statement, each address once in `contacts`: data is merged key by key, an existing contact keeps its
 * subscription, a new one is subscribed if its row says so and its address has no opt-out on record. What rows say against a subscription is
 * applied by a second statement. Contacts are locked in email order; unchanged ones are not written.
 *
 * Existing contacts are found by the unique index (`ON CONFLICT`), not by a join: while a project grows faster than
 * its statistics, the planner would scan the whole project for every batch.
 */
export async function importContacts(
  db: Db,
  secrets: Hashes,
  projectId: string,
  given: readonly ImportedContact[],
  prepared: RowsToImport | null = null,
): Promise<Imported> {
  await recallFormerSpellings(
    db,
    secrets,
    projectId,
    given.map(({ email }) => email),
  );
  const taken = takenIn(given, await ownersOf(db, projectId, given));
  const contacts = taken.size === 0 ? given : given.filter(({ email }) => !taken.has(email));
  const { ids, hashes, patches } =
    prepared && contacts === given ? prepared : await rowsToImport(secrets, projectId, contacts);
  await db.$queryRaw`SELECT ${namedSource('import')}`;
  const [row] = await db.$queryRaw<
    { created: number; subscribed: number; optedOut: number; untouched: string[] }[]
  >(Prisma.sql`
    WITH "input" AS MATERIALIZED (
      SELECT u.id, u.email, u.patch::jsonb AS patch, u.said, u.first, ${isOptedOut(projectId, Prisma.sql`u.hash`)} AS "isOut"
      FROM unnest(
        ${ids}::uuid[], ${contacts.map(({ email }) => email)}::text[], ${patches}::text[], ${hashes}::text[],
        ${contacts.map(({ said }) => said)}::text[], ${contacts.map(({ isFirst }) => isFirst)}::boolean[]
      ) AS u(id, email, patch, hash, said, first)
    ), "written" AS (
      INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
      SELECT i.id, ${projectId}::uuid, i.email, i.said = 'yes' AND NOT i."isOut", i.patch
      FROM "input" i
      ORDER BY i.email
      ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || EXCLUDED."data", "updatedAt" = now()
      WHERE c."data" || EXCLUDED."data" <> c."data" AND ${fits(Prisma.sql`c."data" || EXCLUDED."data"`)}
      RETURNING c."id", c."email", c."subscribed"
    )
    SELECT
      count(*) FILTER (WHERE w."id" = i.id)::int AS "created",
      count(*) FILTER (WHERE w."id" = i.id AND w."subscribed")::int AS "subscribed",
      count(*) FILTER (WHERE i.first AND i.said IN ('yes', 'nothing') AND NOT w."subscribed" AND (w."id" <> i.id OR i."isOut"))::int
        AS "optedOut",
      coalesce(array_agg(i.email) FILTER (WHERE w."id" IS NULL), '{}') AS "untouched"
    FROM "input" i LEFT JOIN "written" w ON w."email" = i.email`);
  if (!row) throw new Error('the import of contacts gave no row');
  const untouched = new Set(row.untouched);
  const kept = await readUntouched(
    db,
    projectId,
    contacts.filter(({ email }) => untouched.has(email)),
  );
  const tooLarge = new Set(kept.tooLarge);
  await writeExternalIds(
    db,
    projectId,
    contacts.filter(({ email }) => !tooLarge.has(email)),
  );
  const against = contacts.flatMap(({ email, said, until, isFirst }, index) =>
    said === 'yes' || said === 'nothing' || tooLarge.has(email)
      ? []
      : [{ id: ids[index] ?? '', email, said, until, isFirst, hash: hashes[index] ?? '' }],
  );
  const left = await endSubscriptions(db, projectId, against);
  return {
    created: row.created,
    tooLarge: kept.tooLarge,
    taken: [...taken],
    subscribed: row.subscribed,
    unsubscribed: left.unsubscribed,
    optedOut: row.optedOut + kept.optedOut + left.optedOut,
  };
}

/** The addresses of the contacts that have the external ids of an import now, by external id. */
export async function ownersOf(
  db: Db,
  projectId: string,
  contacts: readonly Pick<ImportedContact, 'externalId'>[],
): Promise<Map<string, string>> {
  const externalIds = contacts.flatMap(({ externalId }) => externalId ?? []);
  if (externalIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ externalId: string; email: string }[]>`
    SELECT "externalId", "email" FROM "Contact"
    WHERE "projectId" = ${projectId}::uuid AND "externalId" = ANY(${externalIds}::text[])`;
  return new Map(rows.map(({ externalId, email }) => [externalId, email]));
}

/** Of contacts that exist by now and are locked. One that another request is giving to its contact makes the batch begin anew. */
async function writeExternalIds(
  db: Db,
  projectId: string,
  contacts: readonly Pick<ImportedContact, 'email' | 'externalId'>[],
): Promise<void> {
  const named = contacts.filter(({ externalId }) => externalId !== null);
  if (named.length === 0) return;
  await byAddress(
    db,
    () => db.$executeRaw`
    WITH "named" AS MATERIALIZED (
      SELECT c."id", u."externalId"
      FROM unnest(${named.map(({ email }) => email)}::text[], ${named.map(({ externalId }) => externalId)}::text[]) AS u(email, "externalId")
      CROSS JOIN LATERAL (${contactAt(projectId)}) c WHERE c."externalId" IS DISTINCT FROM u."externalId"
    )
    UPDATE "Contact" c SET "externalId" = n."externalId", "updatedAt" = now() FROM "named" n WHERE c."id" = n."id"`,
  );
}

/** SQL condition: the data is within the limit, not counting the spaces that PostgreSQL adds to JSON text. */
const fits = (data: Prisma.Sql): Prisma.Sql => Prisma.sql`
  octet_length((${data})::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(${data})) + 1 <= ${dataLimitBytes}::int`;

/** Of contacts that were not written and are locked: which ones would exceed the data limit, and how many of the others are not subscribed. */
async function readUntouched(
  db: Db,
  projectId: string,
  contacts: readonly ImportedContact[],
): Promise<{ tooLarge: string[]; optedOut: number }> {
  if (contacts.length === 0) return { tooLarge: [], optedOut: 0 };
  const counted = contacts.map(({ isFirst, said }) => isFirst && (said === 'yes' || said === 'nothing'));
  const [row] = await byAddress(db, () =>
    db.$queryRaw<{ tooLarge: string[]; optedOut: number }[]>(Prisma.sql`
    SELECT coalesce(array_agg(s.email) FILTER (WHERE s."isTooLarge"), '{}') AS "tooLarge",
      count(*) FILTER (WHERE s.counted AND NOT s."isTooLarge" AND NOT s."subscribed")::int AS "optedOut"
    FROM (
      SELECT u.email, u.counted, c."subscribed", NOT (${fits(Prisma.sql`c."data" || u.patch::jsonb`)}) AS "isTooLarge"
      FROM unnest(
        ${contacts.map(({ email }) => email)}::text[], ${contacts.map(({ data }) => JSON.stringify(data))}::text[], ${counted}::boolean[]
      ) AS u(email, patch, counted)
      CROSS JOIN LATERAL (${contactAt(projectId)}) c
    ) s`),
  );
  return row ?? { tooLarge: [], optedOut: 0 };
}

/** The contact of `u.email`, found by the unique index. */
const contactAt = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT * FROM "Contact" k WHERE k."projectId" = ${projectId}::uuid AND k."email" = u.email LIMIT 1`;

/** One lookup per address by the unique index: a join may scan the whole project, and the trigram index is slow for whole addresses. */
async function byAddress<Result>(db: Db, query: () => Promise<Result>): Promise<Result> {
  await db.$executeRaw`SET LOCAL enable_bitmapscan = off`;
  const result = await query();
  await db.$executeRaw`SET LOCAL enable_bitmapscan = on`;
  return result;
}

interface Against {
  /** of the contact, had it been new */
  id: string;
  email: string;
  said: Said;
  until: Date | null;
  isFirst: boolean;
  hash: string;
}

/**
 * Applies what rows say against the subscription of their contacts, which are locked: a no is the recipient's own opt-out, a request is not,
 * and a pause concerns only who receives email. Emits the events of those who were subscribed.
 */
async function endSubscriptions(
  db: Db,
  projectId: string,
  rows: readonly Against[],
): Promise<Pick<ConsentCounts, 'unsubscribed' | 'optedOut'>> {
  if (rows.length === 0) return { unsubscribed: 0, optedOut: 0 };
  const leaves = Prisma.sql`(s."subscribed" OR s."isNew" AND NOT s."isOut" OR s."isSnoozed" AND s.said <> 'snooze')`;
  const [row] = await byAddress(db, () =>
    db.$queryRaw<Pick<ConsentCounts, 'unsubscribed' | 'optedOut'>[]>(Prisma.sql`
    WITH "said" AS MATERIALIZED (
      SELECT c."id", c."subscribed", c."snoozedUntil" IS NOT NULL AS "isSnoozed", ${byRecipient} AS "isOwn", c."id" = u.id AS "isNew",
        ${isOptedOut(projectId, Prisma.sql`u.hash`)} AS "isOut", u.said, u.until, u.first
      FROM unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ email }) => email)}::text[], ${rows.map(({ said }) => said)}::text[],
        ${rows.map(({ until }) => until?.toISOString() ?? null)}::timestamptz[], ${rows.map(({ isFirst }) => isFirst)}::boolean[],
        ${rows.map(({ hash }) => hash)}::text[]
      ) AS u(id, email, said, until, first, hash)
      CROSS JOIN LATERAL (${contactAt(projectId)}) c
    ), "ended" AS (
      UPDATE "Contact" c SET "subscribed" = false, "snoozedUntil" = s.until, "updatedAt" = now(),
        "subscriptionChangedAt" = CASE WHEN c."subscribed" THEN now() ELSE c."subscriptionChangedAt" END,
        "optedOutAt" = CASE WHEN s.said = 'no' THEN now() ELSE c."optedOutAt" END
      FROM "said" s WHERE c."id" = s."id" AND (${leaves} OR s.said = 'no' AND NOT s."isOwn")
    ), "told" AS (
      ${insertEvents}
      ${eventRow({
        ...storedAs('contact.unsubscribed'),
        projectId: Prisma.sql`${projectId}::uuid`,
        data: Prisma.sql`jsonb_build_object('reason', 'import')`,
        contactId: Prisma.sql`s."id"`,
      })}
      FROM "said" s WHERE s."subscribed"
    )
    SELECT count(*) FILTER (WHERE ${leaves})::int AS "unsubscribed",
      count(*) FILTER (WHERE s.first AND NOT ${leaves})::int AS "optedOut"
    FROM "said" s`),
  );
  return row ?? { unsubscribed: 0, optedOut: 0 };
}

/** What an address is before a batch of a dry run. */
export interface FoundContact {
  email: string;
  exists: boolean;
  subscribed: boolean;
  snoozed: boolean;
  /** an opt-out of the address is on record */
  isOut: boolean;
  /** its data would exceed the limit */
  isTooLarge: boolean;
}

/** Reads what `importContacts` would find, without locks. */
export function findImported(
  db: Db,
  secrets: Hashes,
  projectId: string,
  contacts: readonly Pick<ImportedContact, 'email' | 'data'>[],
): Promise<FoundContact[]> {
  return byAddress(db, () =>
    db.$queryRaw<FoundContact[]>(Prisma.sql`
    SELECT u.email, c."id" IS NOT NULL AS "exists", coalesce(c."subscribed", false) AS "subscribed",
      c."snoozedUntil" IS NOT NULL AS "snoozed", ${isOptedOut(projectId, Prisma.sql`u.hash`)} AS "isOut",
      coalesce(NOT (${fits(Prisma.sql`c."data" || u.patch::jsonb`)}), false) AS "isTooLarge"
    FROM unnest(
      ${contacts.map(({ email }) => email)}::text[], ${contacts.map(({ data }) => JSON.stringify(data))}::text[],
      ${hashesOf(secrets, projectId, contacts)}::text[]
    ) AS u(email, patch, hash)
    LEFT JOIN LATERAL (${contactAt(projectId)}) c ON true`),
  );
}

/** How many of these addresses are on the suppression list. */
export async function countSuppressed(db: Db, projectId: string, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) return 0;
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM unnest(${[...emails]}::text[]) AS u(email)
    WHERE EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = ${projectId}::uuid AND s."email" = u.email)`;
  return row?.count ?? 0;
}

/** Addresses on the list keep their first entry; one that ends does not end if the file says so. @returns the number of addresses added */
export async function importSuppressions(
  db: Db,
  projectId: string,
  rows: readonly ({ email: string } & SuppressionEntry)[],
): Promise<number> {
  const added = await db.$queryRaw<{ isNew: boolean }[]>`
    INSERT INTO "Suppression" AS s ("projectId", "email", "reason", "createdAt", "expiresAt")
    SELECT ${projectId}::uuid, u.email, u.reason::"SuppressionReason", coalesce(u.at, now()), u."expiresAt"
    FROM unnest(
      ${rows.map(({ email }) => email)}::text[], ${rows.map(({ reason }) => reason)}::text[],
      ${rows.map(({ createdAt }) => createdAt?.toISOString() ?? null)}::timestamptz[],
      ${rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null)}::timestamptz[]
    ) AS u(email, reason, at, "expiresAt")
    WHERE u.email NOT LIKE ${simulatorPattern}
    ORDER BY u.email ${firstEntryStays}
    RETURNING s."xmax" = 0 AS "isNew"`;
  return added.filter(({ isNew }) => isNew).length;
}

/**
 * Records that these people opted out themselves: their contacts are unsubscribed, locked in email order; addresses without a contact are
 * remembered.
 *
 * @returns the number of contacts among them, and of those who were subscribed or snoozed
 */
export async function importOptOuts(
  db: Db,
  secrets: Hashes,
  projectId: string,
  rows: readonly { email: string; isFirst: boolean }[],
): Promise<{ contacts: number; unsubscribed: number }> {
  const emails = rows.map(({ email }) => email);
  const found = await byAddress(
    db,
    () => db.$queryRaw<{ id: string; email: string }[]>`
    SELECT c."id", c."email" FROM (SELECT email FROM unnest(${emails}::text[]) AS t(email) ORDER BY email) u
    CROSS JOIN LATERAL (${contactAt(projectId)} FOR NO KEY UPDATE) c`,
  );
  const known = new Map(found.map(({ id, email }) => [email, id]));
  const hashes = hashesOf(secrets, projectId, rows);
  const { unsubscribed } = await endSubscriptions(
    db,
    projectId,
    // No contact is new here.
    rows.flatMap(({ email, isFirst }, index) =>
      known.has(email)
        ? [{ id: newId(), email, said: 'no' as const, until: null, isFirst, hash: hashes[index] ?? '' }]
        : [],
    ),
  );
  const unknown = hashes.filter((_, index) => !known.has(emails[index] ?? ''));
  if (unknown.length > 0)
    await db.$executeRaw`
      INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient")
      SELECT ${projectId}::uuid, decode(u.hash, 'hex'), true FROM unnest(${unknown}::text[]) AS u(hash) ORDER BY u.hash
      ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE NOT o."byRecipient"`;
  return { contacts: known.size, unsubscribed };
}

/** @returns null for an unknown segment, and for one of another project */
export async function typeOfSegment(db: Db, projectId: string, id: string): Promise<SegmentType | null> {
  const segment = await db.segment.findFirst({ where: { id, projectId }, select: { type: true } });
  return segment?.type ?? null;
}
