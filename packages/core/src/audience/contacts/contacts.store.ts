import {
  type Bindable,
  beginsWithOneOf,
  constant,
  containsOneOf,
  type Db,
  isDuplicate,
  Prisma,
  refusalOf,
} from '../../base/db/index.ts';
import { cachedTotal } from '../../base/figures/index.ts';
import {
  type AppError,
  addressPartsSought,
  type Context,
  conflict,
  invalid,
  type Keyset,
  type Secrets,
  type Services,
  suggestions,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  type ConsentBasis,
  type ContactStatus,
  contactStatus,
  type Saying,
  stated,
  withStatus,
} from '../consent/index.ts';
import { type ContactSource, namedSource } from './contact-source.ts';
import {
  type ContactChange,
  type ContactPatch,
  collapseChanges,
  type FlipReason,
  type StoredValue,
} from './contacts.rules.ts';
import { recallFormerSpellings } from './former-spellings.store.ts';
import { isNamed } from './names.store.ts';
import type { ContactReference } from './reference.schema.ts';

/** Values, or parameters of the caller's prepared statement. */
export interface ContactUpsert {
  /** uuid of the project */
  project: Bindable<string>;
  /** result of `contactUpsertInput` */
  changes: Bindable<string>;
  /** `subscribed` of a new contact when the request does not give it */
  defaultSubscribed: Bindable<boolean>;
}

/**
 * The value of the `changes` parameter: a JSON object by address. Duplicates are collapsed here, later changes
 * winning per key, so the statement sees each address once.
 *
 * @param defaultSubscribed the value of that name in `ContactUpsert`; when it is false, most requests need no keyed hash
 */
export const contactUpsertInput = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChange[],
  defaultSubscribed = true,
  said?: Saying,
): string => toUpsertInput(prepareChanges(secrets, projectId, changes, defaultSubscribed, said));

/** The change of one contact as statements take it. */
export interface PreparedChange extends ContactPatch {
  email: string;
  /** of the contact, should it be new */
  id: string;
  /** keyed hash of the address in hex; only where the change may subscribe the contact */
  optOut: string | undefined;
  /** absent: it stays as it is; only for the function */
  externalId?: string | null;
  /** numbers of topics that are chosen, and that are not wanted; absent without any */
  yes?: readonly number[];
  no?: readonly number[];
  /** `subscribed` of a new contact, where it is said of new ones alone */
  ifNew?: boolean;
  /** who says it: of the acts that it makes */
  said?: Saying;
}

/** One change per address. @see contactUpsertInput */
export const prepareChanges = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  changes: readonly ContactChange[],
  defaultSubscribed: boolean,
  said?: Saying,
): PreparedChange[] =>
  [...collapseChanges(changes)].map(([email, { subscribed, patch, lists, choices }]) => ({
    email,
    id: newId(),
    subscribed,
    patch,
    ...(lists && { lists }),
    ...choices,
    ...(said && { said }),
    optOut:
      (subscribed ?? (defaultSubscribed || choices?.yes !== undefined))
        ? secrets.addressHash(projectId, email).toString('hex')
        : undefined,
  }));

/** @see contactUpsertInput */
export const toUpsertInput = (changes: readonly PreparedChange[]): string =>
  JSON.stringify(Object.fromEntries(changes.map(({ email, ...change }) => [email, change])));

/**
 * Creates or updates contacts within a larger statement: the text of the CTE `contact`, to be placed after `WITH`.
 * The statement must read `contact`, otherwise nothing happens. Requires READ COMMITTED and PostgreSQL 15 or newer.
 * The database function `upsert_contacts` (upsert-contacts.sql) does the work.
 *
 * `contact` has one row per distinct address of the input, in email order, with `id, email, "externalId", data, subscribed, "snoozedUntil",
 * "createdAt", "updatedAt", is_new, flipped, "topicsOn", "topicsOff", "topicDefaults"`:
 * - `data` becomes `(data || set) - unset` with the changes of its lists; what is said of the subscription and the topics is written with its act, by
 * the rules of `apply_consents`. All are the values after the statement.
 * - A new contact of which nothing is said is subscribed by default, or as nobody stated anything. One whose address has an opt-out on record is not
 * subscribed unless `true` was given by who may say so; that removes the opt-out.
 * - `is_new`: this statement inserted the row. `flipped`: the contact existed and this statement changed `subscribed`, so
 * its previous value was `NOT subscribed`. Both are exact under concurrency.
 * - A flip is stored as the SYSTEM event `contact.subscribed` or `contact.unsubscribed` with `{reason}`.
 * - `"updatedAt"` changes only when something else did.
 * - More than 64 KiB of data on a contact aborts the statement with `refuse('data_too_large:<email>')`.
 *
 * A contact with nothing to change is not written, only locked FOR KEY SHARE: equal requests do not queue behind one another, and
 * it cannot be deleted or renamed before the transaction ends. Contacts are locked in email order.
 */
export const contactUpsertCtes = (
  { project, changes, defaultSubscribed }: ContactUpsert,
  { reason = 'api', source = 'api' }: { reason?: FlipReason; source?: ContactSource | Prisma.Sql } = {},
): Prisma.Sql => Prisma.sql`
  "contact" AS MATERIALIZED (
    SELECT u.* FROM (SELECT ${namedSource(source)} AS "named") s CROSS JOIN LATERAL upsert_contacts(
      ${project}::uuid, ${changes}::jsonb, ${defaultSubscribed}::boolean, CASE WHEN s."named" IS NOT NULL THEN '${constant(reason)}' END) u
  )`;

/** The error for a statement aborted with `data_too_large`. */
export const contactDataLimitError = (): AppError =>
  invalid([
    { field: 'data', code: 'too_big', message: 'The data of a contact can have at most 64 KiB of JSON' },
  ]);

export interface ContactRow {
  id: string;
  projectId: string;
  email: string;
  externalId: string | null;
  subscribed: boolean;
  snoozedUntil: Date | null;
  status: ContactStatus;
  /** the choices of its own, by the keys of the topics */
  topics: Record<string, boolean>;
  topicDefaults: boolean;
  /** both null while it is not subscribed */
  consentBasis: ConsentBasis | null;
  consentedAt: Date | null;
  data: Record<string, StoredValue>;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * @param externalId undefined keeps that of an existing contact
 * @throws AppError VALIDATION_ERROR when the contact's data would be too large; CONFLICT when another contact has the external id
 */
export async function upsertOne(
  { db, services }: Pick<Context, 'db' | 'services'>,
  projectId: string,
  change: ContactChange,
  externalId: string | null | undefined,
  said: Saying,
): Promise<ContactRow & { isNew: boolean }> {
  const { secrets } = services;
  await recallFormerSpellings(db, secrets, projectId, [change.email]);
  const changes = toUpsertInput(
    prepareChanges(secrets, projectId, [change], true, said).map((each) => ({
      ...each,
      ...(externalId !== undefined && { externalId }),
    })),
  );
  try {
    const [row] = await db.$queryRaw<{ id: string; isNew: boolean }[]>`
      WITH ${contactUpsertCtes({ project: projectId, changes, defaultSubscribed: true })}
      SELECT "id", "is_new" AS "isNew" FROM "contact"`;
    const contact = row && (await findContact(db, projectId, { by: 'id', value: row.id }));
    if (!contact) throw new Error('the upsert of a contact gave no row');
    return { ...contact, isNew: row.isNew };
  } catch (error) {
    if (refusalOf(error)?.rule === 'data_too_large') throw contactDataLimitError();
    throw (isDuplicate(error) && (await externalIdTaken(services, { projectId }, externalId))) || error;
  }
}

/** The columns of a contact `c`. */
export const contactColumns = Prisma.sql`c."id", c."projectId", c."email", c."externalId", c."subscribed", c."snoozedUntil", ${contactStatus} AS "status",
  CASE WHEN c."topicsOn" = '{}' AND c."topicsOff" = '{}' THEN '{}' ELSE topics_by_key(c."projectId", c."topicsOn", c."topicsOff") END AS "topics",
  c."topicDefaults", ${stated.basis} AS "consentBasis", ${stated.at} AS "consentedAt",
  c."data", c."createdAt", c."updatedAt"`;

/** What a contact is found by. */
const namedBy = ({ by, value }: ContactReference): Prisma.Sql =>
  by === 'id' ? Prisma.sql`"id" = ${value}::uuid` : Prisma.sql`${constant(`"${by}"`)} = ${value}`;

/** The id of a contact as an expression for conditions; null when the project has no such contact. */
export const idOfContact = (projectId: string, reference: ContactReference): Prisma.Sql =>
  reference.by === 'id'
    ? Prisma.sql`${reference.value}::uuid`
    : Prisma.sql`(SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${namedBy(reference)})`;

export async function findContact(
  db: Db,
  projectId: string,
  reference: ContactReference,
): Promise<ContactRow | null> {
  const [row] = await db.$queryRaw<ContactRow[]>`
    SELECT ${contactColumns} FROM "Contact" c WHERE "projectId" = ${projectId}::uuid AND ${namedBy(reference)}`;
  return row ?? null;
}

/** The contacts of a project that references name, each once. @returns also how many of the references name none */
export async function findContactIds(
  db: Db,
  projectId: string,
  references: readonly ContactReference[],
): Promise<{ ids: string[]; notFound: number }> {
  const wanted = [...new Map(references.map((each) => [`${each.by} ${each.value}`, each])).values()];
  const valuesOf = (by: ContactReference['by']) =>
    wanted.flatMap((each) => (each.by === by ? [each.value] : []));
  const rows = await db.$queryRaw<{ id: string; email: string; externalId: string | null }[]>`
    SELECT "id"::text AS "id", "email", "externalId" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${valuesOf('id')}::uuid[])
    UNION SELECT "id"::text, "email", "externalId" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${valuesOf('email')}::text[])
    UNION SELECT "id"::text, "email", "externalId" FROM "Contact"
      WHERE "projectId" = ${projectId}::uuid AND "externalId" = ANY(${valuesOf('externalId')}::text[])`;
  const known = new Set(
    rows.flatMap(({ id, email, externalId }) => [`id ${id}`, `email ${email}`, `externalId ${externalId}`]),
  );
  return {
    ids: [...new Set(rows.map(({ id }) => id))],
    notFound: wanted.filter(({ by, value }) => !known.has(`${by} ${value}`)).length,
  };
}

/** @param lock keeps the contact from being deleted before the transaction ends */
export async function findContactId(
  db: Db,
  projectId: string,
  reference: ContactReference,
  lock?: 'keep',
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${namedBy(reference)}
    ${lock ? Prisma.sql`FOR KEY SHARE` : Prisma.empty}`;
  return row?.id ?? null;
}

/** The contact, locked against changes and deletion until the transaction ends. */
export async function lockContact(
  db: Db,
  projectId: string,
  reference: ContactReference,
): Promise<ContactRow | null> {
  const [row] = await db.$queryRaw<ContactRow[]>`
    SELECT ${contactColumns} FROM "Contact" c WHERE "projectId" = ${projectId}::uuid AND ${namedBy(reference)} FOR UPDATE`;
  return row ?? null;
}

/**
 * The ids of contacts whose address or name contains a text, the first by address.
 *
 * `db` must be a transaction.
 */
export async function findContactsByText(
  db: Db,
  projectId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const order = { sort: 'email', dir: 'asc', after: null, take: limit } as const;
  const { rows } = await searchMatches(db, { projectId, text }, order);
  return rows.map(({ id }) => id);
}

/** A name that so many of the newest contacts have is not looked for among the others. */
const newestSought = 1_000;

/**
 * The ids of contacts that are named by a text ({@link isNamed}), of frequent names the newest.
 *
 * `db` must be a transaction.
 */
export async function findContactsByName(
  db: Db,
  projectId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const named = isNamed(text);
  const newest = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM (
      SELECT "id", "data" FROM "Contact" WHERE "projectId" = ${projectId}::uuid
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${newestSought}::int) "Contact"
    WHERE ${named} LIMIT ${limit}::int`;
  if (newest.length === limit) return newest.map(({ id }) => id);
  // The planner expects the limit to end any scan early; a name that nobody has would be read off each contact.
  await db.$executeRaw`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${named} LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Of these contacts those that the project has. */
export async function keptContacts(db: Db, projectId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[])`;
  return rows.map(({ id }) => id);
}

/** Of these contacts those that the project has, locked against changes and deletion in the order of their addresses. */
export const lockContacts = (
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Pick<ContactRow, 'id' | 'email'>[]> => db.$queryRaw`
  SELECT "id", "email" FROM "Contact"
  WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[]) ORDER BY "email" FOR UPDATE`;

export async function isAddressTaken(db: Db, projectId: string, email: string): Promise<boolean> {
  return (await db.contact.count({ where: { projectId, email } })) > 0;
}

/** The contacts with these addresses, in their stored form, or external ids. */
export const findNamed = (
  db: Db,
  projectId: string,
  emails: readonly string[],
  externalIds: readonly string[],
): Promise<Pick<ContactRow, 'id' | 'email' | 'externalId' | 'subscribed'>[]> => db.$queryRaw`
  SELECT "id", "email", "externalId", "subscribed" FROM "Contact"
  WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${[...emails]}::text[])
  UNION SELECT "id", "email", "externalId", "subscribed" FROM "Contact"
  WHERE "projectId" = ${projectId}::uuid AND "externalId" = ANY(${[...externalIds]}::text[])`;

/**
 * What a statement says that failed at the unique index of external ids; null if it failed for another reason. Its transaction has ended, and
 * the contact that has the id is committed.
 */
export async function externalIdTaken(
  { database }: Pick<Services, 'database'>,
  { projectId, id }: { projectId: string; id?: string },
  externalId: string | null | undefined,
): Promise<AppError | null> {
  if (typeof externalId !== 'string') return null;
  const contactId = await findContactId(database.prisma, projectId, { by: 'externalId', value: externalId });
  if (contactId === null || contactId === id) return null;
  return conflict('Another contact in this project has this external id', {
    details: { contactId },
    suggestion: suggestions.CONFLICT.externalIdTaken,
  });
}

/** Writes address, external id and data of a locked contact; `updatedAt` changes only when one of them does. */
export async function writeContact(
  db: Db,
  { projectId, id }: Pick<ContactRow, 'projectId' | 'id'>,
  { email, externalId, data }: Pick<ContactRow, 'email' | 'externalId' | 'data'>,
): Promise<void> {
  const json = JSON.stringify(data);
  // Searches find other emails by the address of their contact. Locked in the order of delivery processes.
  await db.$executeRaw`
    UPDATE "Email" e SET "readdressed" = true FROM (
      SELECT m."id" FROM "Email" m JOIN "Contact" c ON c."id" = m."contactId"
      WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = ${id}::uuid AND c."email" <> ${email} AND NOT m."readdressed"
      ORDER BY m."id" FOR UPDATE OF m
    ) sent WHERE e."id" = sent."id"`;
  await db.$executeRaw`
    UPDATE "Contact" SET "email" = ${email}, "externalId" = ${externalId}, "data" = ${json}::jsonb, "updatedAt" = now()
    WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid
      AND ("email" <> ${email} OR "externalId" IS DISTINCT FROM ${externalId} OR "data" <> ${json}::jsonb)`;
}

export const findContacts = (db: Db, projectId: string, ids: string[]): Promise<ContactRow[]> => db.$queryRaw<
  ContactRow[]
>`
  SELECT ${contactColumns} FROM "Contact" c WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${ids}::uuid[])`;

export interface ContactFilter {
  projectId: string;
  /** the whole address, in its normal form */
  email?: string | undefined;
  externalId?: string | undefined;
  /** part of the address, in any case */
  search?: string | undefined;
  /** part of the address, or of the name */
  text?: string | undefined;
  status?: ContactStatus | 'not-subscribed' | undefined;
  /** over the alias `c` of "Contact"; only for `searchContacts` and `countContacts` */
  condition?: Prisma.Sql | undefined;
}

export interface ContactOrder {
  sort: 'createdAt' | 'email';
  dir: 'asc' | 'desc';
  /** the row to continue after; null for the start */
  after: Keyset | null;
  take: number;
}

/** The index of addresses consists of groups of three letters and digits: for fewer it names all addresses. */
const isTooShort = (parts: readonly string[]): boolean =>
  parts.some((part) => (part.match(/[\p{L}\p{N}]/gu) ?? []).length < 3);

/** Whether the address of a contact contains a text. A condition over `"Contact"`. */
export function hasInAddress(text: string): Prisma.Sql {
  const parts = addressPartsSought(text);
  // An expression keeps the planner from reading the whole index before the whole table.
  return containsOneOf(isTooShort(parts) ? Prisma.sql`("email" || '')` : Prisma.sql`"email"`, parts);
}

/** A text that is too short for the index is looked for at the beginning, like those of names. */
function addressMatches(text: string): Prisma.Sql {
  const parts = addressPartsSought(text);
  return (isTooShort(parts) ? beginsWithOneOf : containsOneOf)(Prisma.sql`"email"`, parts);
}

/** The contacts of a project that match a filter, as a condition over `"Contact"`. */
export function matchesFilter(filter: ContactFilter): Prisma.Sql {
  const { projectId, email, externalId, search, text, status, condition } = filter;
  const conditions = [Prisma.sql`"projectId" = ${projectId}::uuid`];
  if (email !== undefined) conditions.push(Prisma.sql`"email" = ${email}`);
  if (externalId !== undefined) conditions.push(Prisma.sql`"externalId" = ${externalId}`);
  if (search) conditions.push(hasInAddress(search));
  if (text) conditions.push(Prisma.sql`(${addressMatches(text)} OR ${isNamed(text)})`);
  if (status)
    conditions.push(status === 'not-subscribed' ? Prisma.sql`NOT "subscribed"` : withStatus(status));
  if (condition) conditions.push(Prisma.sql`(${condition})`);
  return Prisma.join(conditions, ' AND ');
}

/** A keyset page: inserts and deletes elsewhere do not shift it, and ties are broken by id. */
export async function searchContacts(
  db: Db,
  filter: ContactFilter,
  order: ContactOrder,
): Promise<ContactRow[]> {
  return db.$queryRaw<ContactRow[]>`
    SELECT ${contactColumns} FROM "Contact" c WHERE ${matchesFilter(filter)} ${beyond(order)}
    ${sorted(order)} LIMIT ${order.take}`;
}

const columnOf = ({ sort }: ContactOrder): Prisma.Sql =>
  sort === 'email' ? Prisma.sql`"email"` : Prisma.sql`"createdAt"`;

const sorted = (order: ContactOrder, column = columnOf(order)): Prisma.Sql => {
  const direction = order.dir === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  return Prisma.sql`ORDER BY ${column} ${direction}, "id" ${direction}`;
};

function beyond(order: ContactOrder): Prisma.Sql {
  const { sort, dir, after } = order;
  if (!after) return Prisma.empty;
  const value = sort === 'email' ? Prisma.sql`${after.value}::text` : Prisma.sql`${after.value}::timestamptz`;
  const sign = dir === 'asc' ? Prisma.sql`>` : Prisma.sql`<`;
  return Prisma.sql`AND (${columnOf(order)}, "id") ${sign} (${value}, ${after.id}::uuid)`;
}

/** Up to this many matches of a condition are found and then sorted. */
export const sortedAtMost = 10_000;
/** When more contacts match, a page of them is expected among this many contacts of the list. */
const windowRows = 20_000;

/**
 * A keyset page of contacts that match a condition. The planner does not know how many do, so no single plan is right: reading in the
 * order of the list takes seconds when few match, and sorting all does when many match. Few are therefore found in any order, which
 * reads the table once, and sorted; of many, the page is among the next contacts of the list.
 *
 * `db` must be a transaction.
 *
 * @returns the page, and the number of matches from its start, if there are at most 10,000
 */
export async function searchMatches(
  db: Db,
  filter: ContactFilter,
  order: ContactOrder,
): Promise<{ rows: ContactRow[]; matches: number | null }> {
  // Without these settings the planner expects the limit to end the scan early, and reads the table without parallel workers.
  // Nor does it know what it costs to read names off each contact.
  await db.$executeRaw`
    SELECT set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true),
      set_config('enable_seqscan', ${filter.text ? 'off' : 'on'}, true)`;
  const few = await db.$queryRaw<(ContactRow & { matches: number })[]>`
    WITH "found" AS MATERIALIZED (
      SELECT "id", ${columnOf(order)} FROM "Contact" c WHERE ${matchesFilter(filter)} ${beyond(order)} LIMIT ${sortedAtMost + 1}
    ), "page" AS (SELECT "id" FROM "found" ${sorted(order)} LIMIT ${order.take})
    SELECT ${contactColumns}, (SELECT count(*)::int FROM "found") AS "matches"
    FROM "page" JOIN "Contact" c USING ("id") ${sorted(order)}`;
  const [first] = few;
  if (!first || first.matches <= sortedAtMost)
    return { rows: few.map(({ matches: _, ...row }) => row), matches: first?.matches ?? 0 };
  const near = await db.$queryRaw<ContactRow[]>`
    SELECT ${contactColumns} FROM (
      SELECT * FROM "Contact" WHERE "projectId" = ${filter.projectId}::uuid ${beyond(order)} ${sorted(order)} LIMIT ${windowRows}
    ) c WHERE ${matchesFilter(filter)} ${sorted(order)} LIMIT ${order.take}`;
  if (near.length === order.take) return { rows: near, matches: null };
  // The matches are far from here. An expression has no index, so that they are found in any order again.
  const unindexed =
    order.sort === 'email' ? Prisma.sql`"email" || ''` : Prisma.sql`"createdAt" + interval '0'`;
  const rows = await db.$queryRaw<ContactRow[]>`
    SELECT ${contactColumns} FROM "Contact" c WHERE ${matchesFilter(filter)} ${beyond(order)}
    ${sorted(order, unindexed)} LIMIT ${order.take}`;
  return { rows, matches: null };
}

/** @param countTo counting stops beyond this number; the result is then one more */
export async function countContacts(db: Db, filter: ContactFilter, countTo?: number): Promise<number> {
  const matching = Prisma.sql`"Contact" c WHERE ${matchesFilter(filter)}`;
  const [row] = await db.$queryRaw<{ count: number }[]>(
    countTo === undefined
      ? Prisma.sql`SELECT count(*)::int AS "count" FROM ${matching}`
      : Prisma.sql`SELECT count(*)::int AS "count" FROM (SELECT FROM ${matching} LIMIT ${countTo + 1}) "counted"`,
  );
  return row?.count ?? 0;
}

/** All contacts of a project; above 100,000 as of at most a minute ago. */
export const totalOfContacts = (
  db: Db,
  projectId: string,
  status?: ContactFilter['status'],
): Promise<number> =>
  cachedTotal(db, { projectId, key: `contacts.total.${status ?? 'all'}` }, () =>
    countContacts(db, { projectId, status }),
  );
