import { constant, type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type {
  ConsentBasis,
  ContactStatus,
  consentActions,
  consentActors,
  consentEffects,
  consentRefusals,
  consentSources,
} from './consent.rules.ts';
import { stated } from './status.store.ts';

export interface ActRow {
  id: string;
  contactId: string | null;
  at: Date;
  recordedAt: Date;
  action: (typeof consentActions)[number];
  effect: (typeof consentEffects)[number];
  refusal: (typeof consentRefusals)[number] | null;
  topics: Record<string, boolean>;
  topicDefaults: boolean | null;
  until: Date | null;
  source: (typeof consentSources)[number];
  actor: (typeof consentActors)[number];
  actorId: string | null;
  keyName: string | null;
  /** of a user who exists */
  actorEmail: string | null;
  basis: ConsentBasis | null;
  liftsOptOut: boolean;
  wording: { id: string; language: string; text: string } | null;
  form: { id: string; name: string; version: number } | null;
  emailId: string | null;
  jobId: string | null;
  executionId: string | null;
  requestId: string | null;
  page: string | null;
  ip: string | null;
  userAgent: string | null;
  evidence: Record<string, unknown> | null;
}

export interface ActSearch {
  projectId: string;
  contactId?: string | undefined;
  /** keyed hash of an address: acts of contacts that had it and are deleted, and of the one that has it */
  address?: { hash: Uint8Array<ArrayBuffer>; contactId: string | null } | undefined;
  action?: ActRow['action'] | undefined;
  source?: ActRow['source'] | undefined;
  effect?: ActRow['effect'] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The id of an act `a` is its place in the order of effect, in the form of a UUID of version 8 (RFC 9562, 5.8), whose bits are free. */
const idOfAct = Prisma.sql`('00000000-0000-8000-8000-' || lpad(to_hex(a."seq"), 12, '0'))`;

/** @returns null for what is no id of an act */
export function seqOfAct(id: string): bigint | null {
  const [, digits] = /^00000000-0000-8000-8000-([0-9a-f]{12})$/.exec(id) ?? [];
  return digits === undefined ? null : BigInt(`0x${digits}`);
}

/** Acts of a contact, those of contacts that became part of it included. */
const ofContact = (projectId: string, contactId: string): Prisma.Sql => Prisma.sql`a."contactId" = ANY(ARRAY(
  SELECT ${contactId}::uuid UNION ALL SELECT m."id" FROM "MergedContact" m
  WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = ${contactId}::uuid))`;

/** Acts of contacts are found by their contact: a page of the newest is not looked for among those of the whole project. */
function ownersOf({ projectId, contactId, address }: ActSearch): Prisma.Sql[] {
  const ofOne = [ofProject('a."projectId"', projectId)];
  if (contactId !== undefined) ofOne.push(ofContact(projectId, contactId));
  if (address) {
    const gone = Prisma.sql`(a."projectId" = ${projectId}::uuid AND a."contactId" IS NULL AND a."addressHash" = ${address.hash})`;
    ofOne.push(
      address.contactId === null ? gone : Prisma.sql`(${gone} OR ${ofContact(projectId, address.contactId)})`,
    );
  }
  return ofOne.length > 1 ? ofOne : [Prisma.sql`a."projectId" = ${projectId}::uuid`];
}

function conditionsOf(search: ActSearch): Prisma.Sql {
  const conditions = ownersOf(search);
  if (search.action) conditions.push(Prisma.sql`a."action" = ${search.action}::"ConsentAction"`);
  if (search.source) conditions.push(Prisma.sql`a."source" = ${search.source}::"ConsentSource"`);
  if (search.effect) conditions.push(Prisma.sql`a."effect" = ${search.effect}::"ConsentEffect"`);
  if (search.from) conditions.push(Prisma.sql`a."recordedAt" >= ${search.from}`);
  if (search.to) conditions.push(Prisma.sql`a."recordedAt" < ${search.to}`);
  return Prisma.join(conditions, ' AND ');
}

/** Of a request, `until` is when it expires, which is not the end of a snooze. */
const columns = Prisma.sql`${idOfAct} AS "id", a."contactId", a."at", a."recordedAt", a."action", a."effect", a."refusal",
  topics_by_key(a."projectId", a."topicsOn", a."topicsOff") AS "topics", a."topicDefaults", CASE WHEN a."action" = 'snooze' THEN a."until" END AS "until",
  a."source", a."actor", a."actorId", a."keyName", u."email" AS "actorEmail", a."basis", a."liftsOptOut",
  CASE WHEN w."id" IS NOT NULL THEN jsonb_build_object('id', w."id", 'language', w."language", 'text', w."text") END AS "wording",
  CASE WHEN f."formId" IS NOT NULL THEN jsonb_build_object('id', f."formId", 'name', f."name", 'version', f."version") END AS "form",
  a."emailId", a."jobId", a."executionId", a."requestId", a."page", a."ip", a."userAgent", a."evidence"`;

const joined = Prisma.sql`
  LEFT JOIN "User" u ON a."actor" = 'user' AND u."id" = a."actorId"
  LEFT JOIN "Wording" w ON w."id" = a."wordingId" AND w."projectId" = a."projectId"
  LEFT JOIN "FormVersion" f ON f."formId" = a."formId" AND f."version" = a."formVersion" AND f."projectId" = a."projectId"`;

/** One keyset page, newest first. */
export const findActs = (
  db: Db,
  search: ActSearch,
  after: Keyset | null,
  limit: number,
): Promise<ActRow[]> => {
  const older = after ? Prisma.sql`AND a."seq" < ${seqOfAct(after.id) ?? 0n}` : Prisma.empty;
  return db.$queryRaw<ActRow[]>`
    SELECT ${columns} FROM (
      SELECT a.* FROM "ConsentAct" a WHERE ${conditionsOf(search)} ${older} ORDER BY a."seq" DESC LIMIT ${limit}::int
    ) a ${joined} ORDER BY a."seq" DESC`;
};

/** All acts of a contact, oldest first. */
export const findAllActs = (db: Db, projectId: string, contactId: string): Promise<ActRow[]> => db.$queryRaw<
  ActRow[]
>`
  SELECT ${columns} FROM "ConsentAct" a ${joined}
  WHERE ${ofProject('a."projectId"', projectId)} AND ${ofContact(projectId, contactId)} ORDER BY a."seq"`;

/** @returns at most `countTo + 1` */
export async function countActs(db: Db, search: ActSearch, countTo: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM (
      SELECT FROM "ConsentAct" a WHERE ${conditionsOf(search)} LIMIT ${countTo + 1}::int) a`;
  return row?.count ?? 0;
}

/** What a contact receives, as it is stored. */
export interface ConsentRow {
  contactId: string;
  email: string;
  status: ContactStatus;
  suppressed: { reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL'; since: string } | null;
  snoozedUntil: Date | null;
  pendingUntil: Date | null;
  unsubscribedBy: 'request' | 'recipient' | null;
  consentBasis: ConsentBasis | null;
  consentedAt: Date | null;
  wording: ActRow['wording'];
  topics: {
    key: string;
    names: Record<string, string>;
    default: 'IN' | 'OUT';
    choice: boolean | null;
    receives: boolean;
    since: string | null;
  }[];
}

/** Within JSON, where a time is a text. */
const iso = (time: string): Prisma.Sql =>
  constant(`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** @param status a contact's status as an expression over `c` */
export async function findConsent(
  db: Db,
  projectId: string,
  contactId: string,
  status: Prisma.Sql,
): Promise<ConsentRow | null> {
  const [row] = await db.$queryRaw<ConsentRow[]>`
    SELECT c."id" AS "contactId", c."email", ${status} AS "status", c."pendingUntil",
      CASE WHEN NOT c."subscribed" THEN c."snoozedUntil" END AS "snoozedUntil",
      (SELECT jsonb_build_object('reason', s."reason", 'since', ${iso('s."createdAt"')}) FROM "Suppression" s
        WHERE s."projectId" = c."projectId" AND s."email" = c."email") AS "suppressed",
      opt_out_by(c."subscribed", c."snoozedUntil", c."stated", c."optOutBy", c."subscriptionChangedAt", c."optedOutAt") AS "unsubscribedBy",
      ${stated.basis} AS "consentBasis", ${stated.at} AS "consentedAt",
      CASE WHEN c."subscribed" THEN (
        SELECT jsonb_build_object('id', w."id", 'language', w."language", 'text', w."text") FROM "ConsentAct" a
        JOIN "Wording" w ON w."id" = a."wordingId" AND w."projectId" = a."projectId"
        WHERE a."contactId" = c."id" AND a."effect" = 'changed' AND a."basis" IS NOT NULL ORDER BY a."seq" DESC LIMIT 1) END AS "wording",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('key', t."key", 'names', t."name", 'default', t."default",
          'choice', CASE WHEN t."number" = ANY(c."topicsOn") THEN true WHEN t."number" = ANY(c."topicsOff") THEN false END,
          'receives', receives_topic(c."subscribed", c."topicsOn", c."topicsOff", c."topicDefaults", t."number", t."default" = 'IN'),
          'since', (SELECT ${iso('max(a."at")')} FROM "ConsentAct" a WHERE a."contactId" = c."id" AND a."effect" = 'changed'
            AND (t."number" = ANY(a."topicsOn") OR t."number" = ANY(a."topicsOff"))
            AND (t."number" = ANY(c."topicsOn") OR t."number" = ANY(c."topicsOff"))))
          ORDER BY t."position", t."number")
        FROM "Topic" t WHERE t."projectId" = c."projectId" AND t."deletedAt" IS NULL AND NOT t."archived"), '[]') AS "topics"
    FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."id" = ${contactId}::uuid`;
  return row ?? null;
}

export interface ConfirmationRow {
  id: string;
  messageId: string;
  to: string;
  subject: string;
  requestId: string;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  answer: string | null;
}

/** The confirmation emails of a contact, oldest first. */
export const findConfirmations = (
  db: Db,
  projectId: string,
  contactId: string,
): Promise<ConfirmationRow[]> => db.$queryRaw<ConfirmationRow[]>`
  SELECT e."id", coalesce(e."messageId", '<' || e."id" || '@' || split_part(k."from", '@', 2) || '>') AS "messageId", e."to",
    coalesce(e."subject", k."subject") AS "subject", q."id" AS "requestId", e."createdAt", e."sentAt", e."deliveredAt",
    coalesce(e."diagnosis" ->> 'text', e."error") AS "answer"
  FROM "SubscriptionRequest" q JOIN "Email" e ON e."id" = q."emailId" AND e."projectId" = q."projectId" JOIN "Content" k ON k."id" = e."contentId"
  WHERE q."projectId" = ${projectId}::uuid AND q."contactId" = ${contactId}::uuid ORDER BY e."createdAt", e."id"`;

/** How a subscription was confirmed, and where it came from, as exports of contacts show it. */
export interface ConfirmedConsent {
  confirmedAt: string | null;
  source: string | null;
}

/**
 * Of contacts that are subscribed: when they last confirmed it, or a caller stated that they did, and where they agreed, by their acts since they were
 * last unsubscribed. The acts of a contact are read by its index, one contact after the other.
 */
export async function findConfirmedConsents(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ConfirmedConsent>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<
    { id: string; at: Date | null; stated: string | null; source: string | null }[]
  >`
    SELECT u."id", c."at", c."stated", s."source" FROM unnest(${[...ids]}::uuid[]) AS u("id")
    CROSS JOIN LATERAL (
      SELECT coalesce(max(x."seq"), 0) AS "seq" FROM "ConsentAct" x
      WHERE x."contactId" = u."id" AND ${ofProject('x."projectId"', projectId)} AND x."effect" = 'changed' AND x."action" IN ('unsubscribe', 'decline')
    ) l
    LEFT JOIN LATERAL (
      SELECT a."at", a."evidence" ->> 'confirmedAt' AS "stated" FROM "ConsentAct" a
      WHERE a."contactId" = u."id" AND ${ofProject('a."projectId"', projectId)} AND a."seq" > l."seq" AND a."effect" <> 'refused' AND a."basis" = 'confirmed'
      ORDER BY a."seq" DESC LIMIT 1
    ) c ON true
    LEFT JOIN LATERAL (
      SELECT a."evidence" ->> 'source' AS "source" FROM "ConsentAct" a
      WHERE a."contactId" = u."id" AND ${ofProject('a."projectId"', projectId)} AND a."seq" > l."seq" AND a."effect" <> 'refused' AND a."basis" IS NOT NULL
        AND a."evidence" ->> 'source' IS NOT NULL
      ORDER BY a."seq" DESC LIMIT 1
    ) s ON true`;
  return new Map(
    rows.map(({ id, at, stated, source }) => [
      id,
      { confirmedAt: stated ?? at?.toISOString() ?? null, source },
    ]),
  );
}
