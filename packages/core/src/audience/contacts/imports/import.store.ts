import { type Db, Prisma, type SegmentType } from '../../../base/db/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import { simulatorPattern } from '../../../base/kernel/simulator.rules.ts';
import { Breath, newId } from '../../../base/lib/index.ts';
import { type Saying, type Statement, writeConsents } from '../../consent/index.ts';
import { namedSource } from '../contact-source.ts';
import { dataLimitBytes } from '../contacts.rules.ts';
import { recallFormerSpellings } from '../former-spellings.store.ts';
import type { StatedConsents } from '../jobs/jobs.rules.ts';
import { firstEntryStays } from '../suppressions/suppressions.store.ts';
import type { CellValue } from './cell-values.rules.ts';
import { basisOf, type Consent, choicesOf, outcomeOf } from './consent.rules.ts';
import type { SuppressionEntry } from './rows.rules.ts';
import { takenIn } from './taken-ids.rules.ts';

/** The change an import makes to one address. */
export interface ImportedContact extends Consent {
  email: string;
  /** null: it stays as it is */
  externalId: string | null;
  data: Record<string, CellValue>;
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
 * Creates or updates many contacts, each address once in `contacts`: data is merged key by key; a new contact is as its row says, with its act, if its
 * address has no opt-out on record. What rows say of contacts that exist is written by a second statement. Contacts are locked in email order;
 * unchanged ones are not written.
 *
 * Existing contacts are found by the unique index (`ON CONFLICT`), not by a join: while a project grows faster than
 * its statistics, the planner would scan the whole project for every batch.
 *
 * @param author who started the import, and what the request states of the consents
 */
export async function importContacts(
  db: Db,
  secrets: Hashes,
  projectId: string,
  given: readonly ImportedContact[],
  author: ImportAuthor,
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
  const saying = sayingBy(author);
  const [row] = await db.$queryRaw<
    {
      created: number;
      subscribed: number;
      unsubscribed: number;
      optedOut: number;
      untouched: string[];
      fresh: string[];
    }[]
  >(Prisma.sql`
    WITH "given" AS MATERIALIZED (
      SELECT u.id, u.email, u.patch::jsonb AS patch, u.said, u.first, u.until, u.basis, o."byRecipient" AS "recorded", m.*
      FROM unnest(
        ${ids}::uuid[], ${contacts.map(({ email }) => email)}::text[], ${patches}::text[], ${hashes}::text[],
        ${contacts.map(({ said }) => said)}::text[], ${contacts.map(({ isFirst }) => isFirst)}::boolean[],
        ${contacts.map(({ until }) => until?.toISOString() ?? null)}::timestamptz[],
        ${contacts.map((contact) => basisOf(contact, author.stated?.basis ?? null))}::text[],
        ${contacts.map((contact) => moreOf(contact, author))}::text[]
      ) AS u(id, email, patch, hash, said, first, until, basis, more)
      LEFT JOIN "OptOut" o ON o."projectId" = ${projectId}::uuid AND o."addressHash" = decode(u.hash, 'hex')
      LEFT JOIN LATERAL jsonb_to_record(u.more::jsonb) AS m(yes smallint[], nos smallint[], defaults boolean, at timestamptz, ip text, "wordingId" uuid, evidence jsonb, timeless boolean)
        ON u.more IS NOT NULL
    ), "becoming" AS (
      -- What a new contact becomes: who is subscribed by a topic alone is subscribed to it alone.
      SELECT g.*, CASE WHEN g."recorded" IS NOT NULL OR g.said IN ('no', 'request') THEN 'unsubscribe' WHEN g.said = 'snooze' THEN 'snooze'
          WHEN g.said IN ('yes', 'field') OR g.yes IS NOT NULL THEN 'subscribe' WHEN g.nos IS NOT NULL THEN 'topics' END AS becomes,
        CASE WHEN g."recorded" OR g.said = 'no' THEN 'recipient' ELSE 'request' END::"OptOutBy" AS whose,
        CASE WHEN g."recorded" IS NULL OR g.said IN ('no', 'request') THEN coalesce(g.yes, '{}') ELSE '{}' END AS gives, coalesce(g.nos, '{}') AS takes,
        coalesce(CASE WHEN g."recorded" IS NULL OR g.said IN ('no', 'request') THEN g.at END, now())::timestamptz(3) AS "time"
      FROM "given" g
    ), "input" AS MATERIALIZED (
      SELECT b.*, CASE WHEN b.becomes IS NULL THEN 0 ELSE nextval('"ConsentSeq"') END AS seq,
        b.becomes IS NULL OR coalesce(b.defaults, true) AND NOT (b.becomes = 'subscribe' AND b.said = 'nothing') AS "hasDefaults",
        -- A pause keeps what the subscription rests on.
        CASE WHEN b.becomes IN ('subscribe', 'snooze') THEN b.basis END::"ConsentBasis" AS "rests",
        CASE WHEN b.becomes IN ('subscribe', 'snooze') AND b.timeless IS NULL THEN b."time" END AS "since",
        b.becomes = 'snooze' OR (b.becomes = 'subscribe' AND b.timeless) AS "goesOn"
      FROM "becoming" b
    ), "written" AS (
      INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "snoozedUntil", "data", "stated", "optOutBy", "optedOutAt", "consentSeq", "consentBasis", "consentedAt",
        "topicsOn", "topicsOff", "topicDefaults")
      SELECT i.id, ${projectId}::uuid, i.email, i.becomes IS NOT DISTINCT FROM 'subscribe', CASE WHEN i.becomes = 'snooze' THEN i.until END, i.patch,
        i.becomes IS NOT NULL, CASE WHEN i.becomes = 'unsubscribe' THEN i.whose WHEN i.becomes = 'topics' THEN 'request' END,
        CASE WHEN i.becomes = 'unsubscribe' AND i.whose = 'recipient' THEN now() END, i.seq, i."rests", i."since", i.gives, i.takes, i."hasDefaults"
      FROM "input" i
      ORDER BY i.email
      ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || EXCLUDED."data", "updatedAt" = now()
      WHERE c."data" || EXCLUDED."data" <> c."data" AND ${fits(Prisma.sql`c."data" || EXCLUDED."data"`)}
      RETURNING c."id", c."email", c."subscribed", c."snoozedUntil" IS NOT NULL OR c."stated" AS "isOut"
    ), "acts" AS (
      INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "actorId", "keyName", "jobId", "basis", "optOutBy", "until",
        "topicsOn", "topicsOff", "topicDefaults", "wordingId", "ip", "evidence", "before")
      SELECT i.seq, ${projectId}::uuid, i.id, i."time", i.becomes::"ConsentAction", 'changed', 'import', s."actor", s."actorId", s."keyName", s."jobId",
        CASE WHEN i.becomes = 'subscribe' AND NOT coalesce(i."goesOn", false) THEN i."rests" END, CASE WHEN i.becomes = 'unsubscribe' THEN i.whose END,
        CASE WHEN i.becomes = 'snooze' THEN i.until END, nullif(i.gives, '{}'), nullif(i.takes, '{}'), CASE WHEN NOT i."hasDefaults" THEN false END,
        CASE WHEN i.becomes IN ('subscribe', 'snooze') THEN i."wordingId" END, CASE WHEN i.becomes <> 'unsubscribe' THEN i.ip END,
        CASE WHEN i.becomes <> 'unsubscribe' THEN i.evidence END,
        -- A pause says nothing of topics, and an act has a time: what it interrupts, or what was before there was a log, comes first.
        CASE WHEN i."goesOn" THEN jsonb_build_object('subscribed', true, 'snoozedUntil', NULL, 'pendingUntil', NULL, 'topicsOn', i.gives,
          'topicsOff', i.takes, 'topicDefaults', i."hasDefaults", 'stated', true, 'optOutBy', NULL, 'consentBasis', i."rests", 'consentedAt', i."since") END
      FROM "input" i JOIN "written" w ON w."id" = i.id
      CROSS JOIN jsonb_to_record(${JSON.stringify(saying)}::jsonb) AS s("actor" "ConsentActor", "actorId" uuid, "keyName" text, "jobId" uuid)
      WHERE i.becomes IS NOT NULL
    )
    SELECT
      count(*) FILTER (WHERE w."id" = i.id)::int AS "created",
      count(*) FILTER (WHERE w."id" = i.id AND w."subscribed")::int AS "subscribed",
      count(*) FILTER (WHERE w."id" = i.id AND i.becomes IN ('unsubscribe', 'snooze', 'topics') AND i."recorded" IS NULL)::int AS "unsubscribed",
      count(*) FILTER (WHERE i.first AND CASE WHEN w."id" = i.id THEN i."recorded" IS NOT NULL
        ELSE i.said IN ('nothing', 'field', 'yes') AND NOT w."subscribed" AND (w."isOut" OR i."recorded" IS NOT NULL) END)::int AS "optedOut",
      coalesce(array_agg(i.email) FILTER (WHERE w."id" IS NULL), '{}') AS "untouched",
      coalesce(array_agg(i.email) FILTER (WHERE w."id" = i.id), '{}') AS "fresh"
    FROM "input" i LEFT JOIN "written" w ON w."email" = i.email`);
  if (!row) throw new Error('the import of contacts gave no row');
  const untouched = new Set(row.untouched);
  const kept = await readUntouched(
    db,
    projectId,
    contacts.flatMap((contact, index) =>
      untouched.has(contact.email) ? [{ ...contact, hash: hashes[index] ?? '' }] : [],
    ),
  );
  const tooLarge = new Set(kept.tooLarge);
  await writeExternalIds(
    db,
    projectId,
    contacts.filter(({ email }) => !tooLarge.has(email)),
  );
  const fresh = new Set(row.fresh);
  const stating = contacts.flatMap((contact, index) =>
    tooLarge.has(contact.email) || !states(contact)
      ? []
      : [{ ...contact, isNew: fresh.has(contact.email), hash: hashes[index] ?? '' }],
  );
  const done = await writeStatements(db, projectId, author, stating);
  return {
    created: row.created,
    tooLarge: kept.tooLarge,
    taken: [...taken],
    subscribed: row.subscribed + done.subscribed,
    unsubscribed: row.unsubscribed + done.unsubscribed,
    optedOut: row.optedOut + kept.optedOut + done.optedOut,
  };
}

/** Who started an import, and which. */
export interface ImportAuthor extends Pick<Saying, 'actor' | 'actorId' | 'keyName'> {
  jobId: string;
  stated?: StatedConsents;
}

const sayingBy = ({ stated: _, ...author }: ImportAuthor): Saying => ({
  ...author,
  by: 'import',
  source: 'import',
  reason: 'import',
});

/** Whether a row may be about the consent of a contact that exists. */
const states = ({ said, topics, evidence }: Consent): boolean =>
  said !== 'nothing' || topics.size > 0 || evidence !== null;

/** What an act keeps of a row, and of what the request states where the row does not. */
function proofOf(
  { said, evidence }: Consent,
  { stated }: Pick<ImportAuthor, 'stated'>,
): Pick<Saying, 'at' | 'ip' | 'wordingId' | 'evidence'> {
  const counts = said !== 'no' && said !== 'request';
  const at = evidence?.at?.toISOString() ?? (counts ? stated?.at : null);
  const source = evidence?.source ?? (counts ? stated?.source : null);
  const known = {
    ...(source && { source }),
    ...(evidence?.confirmedAt && { confirmedAt: evidence.confirmedAt.toISOString() }),
    ...(evidence?.confirmedIp && { confirmedIp: evidence.confirmedIp }),
  };
  return {
    ...(at && { at }),
    ...(evidence?.ip && { ip: evidence.ip }),
    ...(counts && stated?.wordingId && { wordingId: stated.wordingId }),
    ...(Object.keys(known).length > 0 && { evidence: known }),
  };
}

/** The same for a contact that is new, with its choices, as JSON; null without any. */
function moreOf(contact: ImportedContact, author: ImportAuthor): string | null {
  const { said, defaults, topics, evidence } = contact;
  const isPlain = topics.size === 0 && evidence === null && defaults === null;
  if (isPlain && (said === 'nothing' || !author.stated)) return null;
  const { yes, no } = choicesOf(contact);
  const proof = proofOf(contact, author);
  const more = {
    ...(yes.length > 0 && { yes }),
    ...(no.length > 0 && { nos: no }),
    ...(defaults !== null && { defaults }),
    // Our own export knows what it rests on, and not since when.
    ...(evidence?.basis && !proof.at && { timeless: true }),
    ...proof,
  };
  return JSON.stringify(more);
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

/** Of contacts that were not written and are locked: which ones would exceed the data limit, and how many of the others are out and stay so. */
async function readUntouched(
  db: Db,
  projectId: string,
  contacts: readonly (ImportedContact & { hash: string })[],
): Promise<{ tooLarge: string[]; optedOut: number }> {
  if (contacts.length === 0) return { tooLarge: [], optedOut: 0 };
  const counted = contacts.map(
    ({ isFirst, said }) => isFirst && (said === 'yes' || said === 'field' || said === 'nothing'),
  );
  const [row] = await byAddress(db, () =>
    db.$queryRaw<{ tooLarge: string[]; optedOut: number }[]>(Prisma.sql`
    SELECT coalesce(array_agg(s.email) FILTER (WHERE s."isTooLarge"), '{}') AS "tooLarge",
      count(*) FILTER (WHERE s.counted AND NOT s."isTooLarge" AND NOT s."subscribed" AND s."isOut")::int AS "optedOut"
    FROM (
      SELECT u.email, u.counted, c."subscribed", c."stated" OR c."snoozedUntil" IS NOT NULL OR ${isOptedOut(projectId, Prisma.sql`u.hash`)} AS "isOut",
        NOT (${fits(Prisma.sql`c."data" || u.patch::jsonb`)}) AS "isTooLarge"
      FROM unnest(
        ${contacts.map(({ email }) => email)}::text[], ${contacts.map(({ data }) => JSON.stringify(data))}::text[], ${counted}::boolean[],
        ${contacts.map(({ hash }) => hash)}::text[]
      ) AS u(email, patch, counted, hash)
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

/** What a row says of a contact. */
interface Stating extends ImportedContact {
  /** this import has created it: it is as the row says, but for an opt-out on record that a yes does not end */
  isNew: boolean;
  hash: string;
}

/**
 * Writes what rows say of contacts that exist, which are locked, with the acts: a no is the recipient's own opt-out, a request's is not, a pause
 * concerns only who receives email, and a yes subscribes only who never stated anything. What a row repeats is not recorded.
 */
async function writeStatements(
  db: Db,
  projectId: string,
  author: ImportAuthor,
  rows: readonly Stating[],
): Promise<ConsentCounts> {
  const counts = { subscribed: 0, unsubscribed: 0, optedOut: 0 };
  if (rows.length === 0) return counts;
  const found = await byAddress(db, () =>
    db.$queryRaw<{ email: string; id: string; status: Status }[]>(Prisma.sql`
    SELECT u.email, c."id", CASE WHEN c."subscribed" THEN 'subscribed' WHEN c."snoozedUntil" IS NOT NULL THEN 'snoozed'
      WHEN c."stated" OR ${isOptedOut(projectId, Prisma.sql`u.hash`)} THEN 'out' ELSE 'never' END AS "status"
    FROM unnest(${rows.map(({ email }) => email)}::text[], ${rows.map(({ hash }) => hash)}::text[]) AS u(email, hash)
    CROSS JOIN LATERAL (${contactAt(projectId)}) c`),
  );
  const contactOf = new Map(found.map((each) => [each.email, each]));
  const [statements, pauses]: [Statement[], Statement[]] = [[], []];
  for (const row of rows) {
    const contact = contactOf.get(row.email);
    if (!contact) continue;
    const { id, status } = contact;
    if (!row.isNew) {
      const counted = countOf(row, status);
      if (counted !== null) counts[counted] += 1;
    }
    const about = { contact: id, optOut: row.hash };
    const stated = row.isNew ? refusedOf(row, status, author) : statementOf(row, status, author);
    if (stated) statements.push({ ...about, ...stated });
    if (!row.isNew && row.said === 'snooze' && status === 'subscribed')
      pauses.push({ ...about, kind: 'snooze', until: row.until });
  }
  const saying = sayingBy(author);
  await writeConsents(db, projectId, saying, statements);
  await writeConsents(db, projectId, saying, pauses);
  return counts;
}

type Status = 'subscribed' | 'snoozed' | 'out' | 'never';

/** The figure to which a row adds about a contact that exists; those who are out and of whom it says nothing or a yes are counted before. */
function countOf(row: Stating, status: Status): keyof ConsentCounts | null {
  const { counts } = outcomeOf(status === 'out' ? 'unsubscribed' : status, row);
  if (counts !== 'optedOut') return counts;
  const isCounted = row.said === 'yes' || row.said === 'field' || row.said === 'nothing';
  return row.isFirst && !isCounted ? counts : null;
}

type Stated = Omit<Statement, 'contact'>;

const choicesIn = (row: Consent): Pick<Statement, 'yes' | 'no'> => {
  const { yes, no } = choicesOf(row);
  return { ...(yes.length > 0 && { yes }), ...(no.length > 0 && { no }) };
};

/** What is refused to a contact that a row has created: an opt-out on record stays. */
function refusedOf(row: Stating, status: Status, author: ImportAuthor): Stated | null {
  const { yes } = choicesIn(row);
  const wants = row.said === 'yes' || row.said === 'field';
  if (status !== 'out' || !(wants || (row.said === 'nothing' && yes))) return null;
  return { kind: 'state', ...(wants && { wanted: true }), ...(yes && { yes }), ...proofOf(row, author) };
}

/** What a row states of a contact in this state, besides a pause; null for nothing that is not so already. */
function statementOf(row: Stating, status: Status, author: ImportAuthor): Stated | null {
  const { said, defaults, evidence } = row;
  const choices = choicesIn(row);
  const hasChoices = row.topics.size > 0;
  const proof = proofOf(row, author);
  if (said === 'no' || said === 'request') {
    const optOutBy = said === 'no' ? ('recipient' as const) : ('request' as const);
    return { kind: 'state', wanted: false, optOutBy, ...choices, ...proof };
  }
  if (status === 'subscribed') {
    // Evidence of a consent counts also where the subscription stays; what an export of our own repeats does not.
    const isProven = said !== 'snooze' && evidence !== null && evidence.basis === null;
    if (!isProven) return hasChoices ? { kind: 'state', ...choices } : null;
    return { kind: 'state', ...choices, ...proof, basis: basisOf(row, null) };
  }
  if (status === 'never') {
    if (said === 'snooze') return choices.no ? { kind: 'state', no: choices.no } : null;
    const isIn = said === 'yes' || choices.yes !== undefined;
    if (!isIn) return hasChoices ? { kind: 'state', ...choices } : null;
    const basis = basisOf({ ...row, said: 'yes' }, null);
    const off = defaults === false && { defaults: false };
    return { kind: 'state', ...(said === 'yes' && { wanted: true }), ...choices, ...off, ...proof, basis };
  }
  // Neither a pause nor an opt-out is ended, and a topic is not chosen: of what is refused there is an act. A no to a topic counts.
  if (said === 'yes' || said === 'field') return { kind: 'state', wanted: true, ...choices, ...proof };
  return hasChoices ? { kind: 'state', ...choices } : null;
}

/** What an address is before a batch of a dry run. */
export interface FoundContact {
  email: string;
  exists: boolean;
  subscribed: boolean;
  snoozed: boolean;
  /** an act, or a request from before there were acts, said something of its subscription */
  stated: boolean;
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
      c."snoozedUntil" IS NOT NULL AS "snoozed", coalesce(c."stated", false) AS "stated", ${isOptedOut(projectId, Prisma.sql`u.hash`)} AS "isOut",
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
  author: ImportAuthor,
): Promise<{ contacts: number; unsubscribed: number }> {
  const emails = rows.map(({ email }) => email);
  const found = await byAddress(
    db,
    () => db.$queryRaw<{ id: string; email: string }[]>`
    SELECT c."id", c."email" FROM (SELECT email FROM unnest(${emails}::text[]) AS t(email) ORDER BY email) u
    CROSS JOIN LATERAL (${contactAt(projectId)} FOR NO KEY UPDATE) c`,
  );
  const known = new Map(found.map(({ id, email }) => [email, id]));
  const done = await writeConsents(
    db,
    projectId,
    sayingBy(author),
    found.map(({ id }) => ({ contact: id, kind: 'state', wanted: false, optOutBy: 'recipient' })),
  );
  const hashes = hashesOf(secrets, projectId, rows);
  const unknown = hashes.filter((_, index) => !known.has(emails[index] ?? ''));
  if (unknown.length > 0)
    await db.$executeRaw`
      INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient")
      SELECT ${projectId}::uuid, decode(u.hash, 'hex'), true FROM unnest(${unknown}::text[]) AS u(hash) ORDER BY u.hash
      ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE NOT o."byRecipient"`;
  return {
    contacts: known.size,
    unsubscribed: done.filter(({ wasSubscribed, wasSnoozed }) => wasSubscribed || wasSnoozed).length,
  };
}

/** @returns null for an unknown segment, and for one of another project */
export async function typeOfSegment(db: Db, projectId: string, id: string): Promise<SegmentType | null> {
  const segment = await db.segment.findFirst({ where: { id, projectId }, select: { type: true } });
  return segment?.type ?? null;
}
