import { constant, type Db, Prisma } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../base/event-types/index.ts';
import { firstReason, isSimulatedAddress, type SkipReason } from '../eligibility/index.ts';
import { type AudienceQuery, audienceSql, contactAs, skippedInFreeze } from './audience.store.ts';
import { priorities } from './ledger.rules.ts';

export interface FreezeRequest extends AudienceQuery {
  campaignId: string;
  contentId: string;
  templateId: string | null;
  /** null for the sandbox sender */
  domainId: string | null;
  tracked: boolean;
  /** contacts created later are not in the audience */
  sentAt: Date;
  /** keyed hash per campaign, which keeps addresses unique even after erasure */
  addressSalt: Buffer;
  /** emails per delivery batch */
  batchSize: number;
  /** the last contact of the part before; null for the first part */
  after: AudienceCursor | null;
  /** contacts of this part; null for all that are left */
  limit: number | null;
  /** the campaign is paused, or has a pace */
  held: boolean;
  /** in waves: the first of `firstWave` emails, then a share of them, then the others. Only with the whole audience */
  careful: boolean;
  /** by the local time of each contact; null for all at once */
  local: LocalWaves | null;
  /** percent of the audience that a draw leaves without the email */
  holdout: number;
  /** variants that are compared before the rest gets one of them; null without a test. Not with `careful`, nor `local` */
  test: FreezeOfTest | null;
}

/** Who gets which variant, by the draw that also holds out. */
export interface FreezeOfTest {
  /** contents: that of the rest, then those of the variants */
  contents: readonly string[];
  /** percent of those that are not held out that get the variants, in equal parts */
  sample: number;
}

/** Waves by the zone of the contact, which are numbered from 1. */
export interface LocalWaves {
  /** when each is due */
  dueAt: Date[];
  /** the wave of each zone, by its names in lower case */
  byZone: Record<string, number>;
  /** of contacts that name no zone, or none that is known */
  otherwise: number;
}

/** Numbers of skipped emails by reason; a reason without any is absent. */
export type SkippedBy = { [Reason in SkipReason]?: number };

/** A contact's place in an audience that is frozen in parts. */
export interface AudienceCursor {
  createdAt: Date;
  id: string;
}

export interface Frozen {
  /** emails written */
  total: number;
  /** those of them that are SKIPPED, by reason */
  skipped: SkippedBy;
  /** those that are sent to the simulator, and count for no cap */
  simulated: number;
  /** of a test: emails of the rest (`0`) and of each variant by its number; empty without one */
  variants: Readonly<Record<string, number>>;
  /** the last contact of this part; null when nothing is left after it */
  next: AudienceCursor | null;
}

interface FrozenRow extends Omit<Frozen, 'next'> {
  contacts: number;
  lastCreatedAt: Date | null;
  lastId: string | null;
}

/** The largest delivery batch. */
const mostPerBatch = 500;

/** Half a second of a project's sending rate: a rate-limited campaign shares its tokens in small parts. */
export const batchSizeOf = (ratePerSecond: number): number =>
  Math.min(mostPerBatch, Math.max(1, Math.floor(ratePerSecond / 2)));

/**
 * Locks the freezes of a family of campaigns until the transaction ends, of one without sequels by its own id. Not the campaign's row: a freeze can take minutes, and
 * a cancellation must not wait for it.
 */
export async function lockFreeze(db: Db, familyId: string): Promise<void> {
  await db.$queryRaw(
    Prisma.sql`SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`freeze/${familyId}`}, 0))) AS locked`,
  );
}

/** The same without waiting. @returns whether it is locked */
export async function tryLockFreeze(db: Db, familyId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ locked: boolean }[]>(
    Prisma.sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`freeze/${familyId}`}, 0)) AS "locked"`,
  );
  return row?.locked ?? false;
}

/** The number of emails of the first wave; the share of all emails that the second has, and the least number of them. */
const waves = { first: 200, share: 0.1, least: 1_000 };

/** Numbers of batches: each wave has its own, so that no batch is in two of them. */
const numbersOfBatches = 2 ** 31;
/** Without a local time: careful ones, and the two of a test. */
const mostWaves = 3;

const numbersPerWave = ({ local }: Pick<FreezeRequest, 'local'>): number =>
  Math.floor(numbersOfBatches / ((local ? local.dueAt.length : mostWaves) + 1));

/** The audience with the number of the batch of each email, by careful waves. */
const inCarefulWaves = ({ batchSize, ...request }: FreezeRequest): Prisma.Sql => Prisma.sql`
  SELECT w.*, w."wave" * ${numbersPerWave(request)}::bigint + (w."place" - 1 - CASE w."wave" WHEN 1 THEN 0 WHEN 2 THEN ${waves.first}::bigint ELSE ${waves.first}::bigint + w."second" END)
    / ${batchSize}::int AS "batch"
  FROM (
    SELECT p.*, CASE WHEN p."place" <= ${waves.first}::bigint THEN 1 WHEN p."place" <= ${waves.first}::bigint + p."second" THEN 2 ELSE 3 END AS "wave" FROM (
      SELECT a.*, count(*) FILTER (WHERE a.reason IS NULL) OVER (ROWS UNBOUNDED PRECEDING) AS "place",
        greatest(${waves.least}::bigint, ceil(${waves.share}::float8 * count(*) FILTER (WHERE a.reason IS NULL) OVER ())::bigint) AS "second"
      FROM audience a
    ) p
  ) w`;

/** The same by the zones of the contacts, whose audience has the column `wave`. */
const inLocalWaves = ({ batchSize, ...request }: FreezeRequest): Prisma.Sql => Prisma.sql`
  SELECT a.*, a."wave" * ${numbersPerWave(request)}::bigint
    + (count(*) FILTER (WHERE a.reason IS NULL) OVER (PARTITION BY a."wave" ROWS UNBOUNDED PRECEDING) - 1) / ${batchSize}::int AS "batch"
  FROM audience a`;

const inOneWave = ({ batchSize }: FreezeRequest): Prisma.Sql => Prisma.sql`
  SELECT a.*, (count(*) FILTER (WHERE a.reason IS NULL) OVER (ROWS UNBOUNDED PRECEDING) - 1) / ${batchSize}::int AS "batch"
  FROM audience a`;

/** The wave of a contact `c`, by the name of its zone in any case. The table of names is given to the statement, so that no name can fail it. */
const localWave = ({ otherwise }: LocalWaves): Prisma.Sql => Prisma.sql`
    coalesce(((SELECT "byZone" FROM zones) ->> lower((c."data" ->> 'timezone') COLLATE "C"))::int, ${otherwise}::int) AS "wave",`;

/** Waves of a test: its sample, and the rest, which waits for the winner. */
const waveOfSample = constant(1);
const waveOfRest = constant(2);

/** The first 32 bits of the draw of a contact in a campaign: the same whenever it is made, and independent of that of any other campaign. */
const drawOf = (campaignId: string, contact: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`('x' || left(md5(${campaignId}::text || ${contact}::text), 8))::bit(32)::bigint`;

/**
 * The audience with the variant, the wave and the number of the batch of each email. Above the part that holds out, the draw is uniform again, and its
 * first part is divided between the variants, in their order; those below have none, whatever they are skipped for. Batches mix variants, so that none
 * is sent earlier than another. `OFFSET 0` has each draw made once: without it the planner repeats the hash wherever the draw or the variant is named.
 */
const inVariants = (
  { batchSize, ...request }: FreezeRequest,
  { contents, sample }: FreezeOfTest,
): Prisma.Sql => {
  const { campaignId, holdout } = request;
  const variants = Prisma.sql`${contents.length - 1}::float8`;
  const placeIn = (wave: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`${wave} * ${numbersPerWave(request)}::bigint + (count(*) FILTER (WHERE w.reason IS NULL AND w."wave" = ${wave}) OVER (ROWS UNBOUNDED PRECEDING) - 1) / ${batchSize}::int`;
  return Prisma.sql`
  SELECT w.*, CASE w."wave" WHEN ${waveOfSample} THEN ${placeIn(waveOfSample)} ELSE ${placeIn(waveOfRest)} END AS "batch"
  FROM (
    SELECT v.*, CASE WHEN v."variant" > 0 THEN ${waveOfSample} ELSE ${waveOfRest} END AS "wave" FROM (
      SELECT a.*, CASE WHEN d.v < 0 THEN NULL WHEN d.v < t.s THEN least(${variants}, 1 + floor(d.v * ${variants} / t.s))::int ELSE 0 END AS "variant"
      FROM audience a
      CROSS JOIN (SELECT ${sample}::float8 / 100 AS s, ${holdout}::float8 / 100 AS h) t
      CROSS JOIN LATERAL (SELECT (${drawOf(campaignId, constant('a."id"'))}::float8 / 4294967296 - t.h) / (1 - t.h) AS v OFFSET 0) d
      OFFSET 0
    ) v
  ) w`;
};

/** The last 32 bits of the id of a batch are its number. */
const waveOfBatch = (request: FreezeRequest): Prisma.Sql =>
  Prisma.sql`(('x' || right("batchId"::text, 8))::bit(32)::bigint / ${numbersPerWave(request)}::bigint)::int`;

/** Counts the emails of this part of the audience to their waves. */
const countWaves = ({ campaignId, local }: FreezeRequest): Prisma.Sql => Prisma.sql`, counted AS (
  INSERT INTO "CampaignWave" ("campaignId", "wave", "kind", "dueAt", "recipients")
  SELECT ${campaignId}::uuid, w."wave", ${local ? 'local' : 'careful'}, ${dueAtOf(local, constant('w."wave"'))}, sum(cardinality(w.ids))::int
  FROM waiting w GROUP BY w."wave"
  ON CONFLICT ("campaignId", "wave") DO UPDATE SET "recipients" = "CampaignWave"."recipients" + excluded."recipients"
)`;

const dueAtOf = (local: LocalWaves | null, wave: Prisma.Sql): Prisma.Sql =>
  local
    ? Prisma.sql`(${local.dueAt.map((at) => at.toISOString())}::text[]::timestamptz[])[${wave}]`
    : Prisma.sql`NULL::timestamptz`;

/**
 * The reason of a contact `c`, or else that the draw of the campaign holds it out. Who would get nothing anyway is not held out: the two groups have to
 * differ by the email alone.
 */
const orHeldOut = (
  reason: Prisma.Sql,
  { campaignId, holdout }: Pick<FreezeRequest, 'campaignId' | 'holdout'>,
): Prisma.Sql =>
  holdout === 0
    ? reason
    : Prisma.sql`coalesce(${reason}, CASE WHEN ${drawOf(campaignId, constant('c."id"'))} < ${holdout}::float8 / 100 * 4294967296
      THEN 'held_out' END)`;

const variantCounts = constant(
  `(SELECT coalesce(jsonb_object_agg(v."variant", v."count"), '{}') FROM (
    SELECT "variant", count(*)::int AS "count" FROM email WHERE "variant" IS NOT NULL GROUP BY 1) v)`,
);

/**
 * Writes one email per contact of a part of the audience with its delivery batches, in one statement: nothing of the part can be claimed
 * before all of it is committed. The caller holds the lock of the freeze and has checked that this part is not frozen; the unique indexes
 * (campaign, contact) and (campaign, address) refuse a second freeze. `ON CONFLICT` would search each index twice, so that only later
 * parts have it: between two parts, a contact can take the address of one that is frozen already.
 *
 * The id of a batch is the id of the statement with the batch's number in its last 32 bits, so that batches are claimed in
 * the order in which the emails are stored.
 */
export async function insertCampaignEmails(db: Db, request: FreezeRequest): Promise<Frozen> {
  const { campaignId, projectId, contentId, templateId, domainId, type, tracked, held, careful, local } =
    request;
  const { test } = request;
  const reason = orHeldOut(firstReason(skippedInFreeze(domainId === null), contactAs(request)), request);
  const salt = Uint8Array.from(request.addressSalt);
  const { after, limit } = request;
  const beyond = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}, ${after.id}::uuid)`
    : Prisma.empty;
  const part = limit === null ? Prisma.empty : Prisma.sql`ORDER BY c."createdAt", c."id" LIMIT ${limit}::int`;
  const last =
    limit === null
      ? Prisma.sql`0 AS contacts, NULL::timestamptz AS "lastCreatedAt", NULL::uuid AS "lastId"`
      : Prisma.sql`(SELECT count(*)::int FROM audience) AS contacts, (SELECT max("createdAt") FROM audience) AS "lastCreatedAt",
  (SELECT "id" FROM audience ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) AS "lastId"`;
  const hasWaves = careful || local !== null;
  const isInSeveral = hasWaves || test !== null;
  const zones = local
    ? Prisma.sql`, zones AS MATERIALIZED (SELECT ${JSON.stringify(local.byZone)}::jsonb AS "byZone")`
    : Prisma.empty;
  const [row] = await db.$queryRaw<FrozenRow[]>(Prisma.sql`
WITH base AS MATERIALIZED (
  SELECT uuid_send(uuid7()) AS "bytes"
)${zones}, audience AS ${limit === null ? Prisma.empty : Prisma.sql`MATERIALIZED`} (
  SELECT c."id", c."email", c."createdAt",${local ? localWave(local) : Prisma.empty}
    ${reason} AS reason
  FROM ${audienceSql(request)} ${beyond} ${part}
), numbered AS (
  ${test ? inVariants(request, test) : careful ? inCarefulWaves(request) : local ? inLocalWaves(request) : inOneWave(request)}
), email AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "tracked", "templateId",
    "campaignId", "status", "reason", "variant", "batchId")
  SELECT uuid7(), ${projectId}::uuid, a."id", a."email", substring(sha256(${salt} || convert_to(a."email", 'UTF8')) FOR 16),
    ${type}::"EmailClass", 'CAMPAIGN', ${test ? Prisma.sql`(${[...test.contents]}::uuid[])[coalesce(a."variant", 1) + 1]` : Prisma.sql`${contentId}::uuid`}, ${tracked}, ${templateId}::uuid, ${campaignId}::uuid,
    CASE WHEN a.reason IS NULL THEN 'PENDING'::"EmailStatus" ELSE 'SKIPPED' END, a.reason, ${test ? constant('a."variant"') : constant('NULL::smallint')},
    CASE WHEN a.reason IS NULL
      THEN encode(overlay(base."bytes" PLACING int4send(a."batch"::int) FROM 13 FOR 4), 'hex')::uuid END
  FROM numbered a CROSS JOIN base
  ${after ? Prisma.sql`ON CONFLICT DO NOTHING` : Prisma.empty}
  RETURNING "id", "contactId", "contentId", "status", "reason", "variant", "batchId", ${isSimulatedAddress(constant('"to"'))} AS "isSimulated"
), waiting AS MATERIALIZED (
  SELECT "batchId", array_agg("id" ORDER BY "id") AS ids, ${isInSeveral ? waveOfBatch(request) : Prisma.sql`0`} AS "wave"
  FROM email WHERE "batchId" IS NOT NULL GROUP BY "batchId"
), batches AS (
  INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "held", "wave", "nextAttemptAt", "emailIds")
  SELECT "batchId", ${projectId}::uuid, ${campaignId}::uuid, ${domainId}::uuid, ${constant(priorities.CAMPAIGN)}, ${test ? Prisma.sql`${held}::boolean OR "wave" = ${waveOfRest}` : Prisma.sql`${held}`}, "wave",
    ${local ? dueAtOf(local, constant('"wave"')) : Prisma.sql`now()`}, ids FROM waiting
)${hasWaves ? countWaves(request) : Prisma.empty}, skipped AS MATERIALIZED (
  SELECT array_agg("id" ORDER BY "id") AS ids FROM (
    SELECT "id", row_number() OVER () / ${mostPerBatch}::int AS "part" FROM email WHERE "batchId" IS NULL
  ) s GROUP BY "part"
), logged AS (
  INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
  SELECT uuid7(), ${campaignId}::uuid, s."status"::"EmailStatus", now(), s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
  FROM (SELECT 'PENDING' AS "status", ids FROM waiting UNION ALL SELECT 'SKIPPED', ids FROM skipped) s
), told AS (
  ${insertEvents}
  ${eventRow({
    ...storedAs('email.skipped'),
    projectId: Prisma.sql`${projectId}::uuid`,
    data: Prisma.sql`email_facts("id", NULL, NULL, ${templateId}::uuid, ${campaignId}::uuid, 'CAMPAIGN', ${test ? constant('"contentId"') : Prisma.sql`${contentId}::uuid`})
      || jsonb_build_object('error', NULL, 'reason', "reason")`,
    contactId: constant('"contactId"'),
    emailId: constant('"id"'),
  })}
  FROM email WHERE "status" = 'SKIPPED'
)
SELECT coalesce(sum("count"), 0)::int AS total, coalesce(jsonb_object_agg("reason", "count") FILTER (WHERE "reason" IS NOT NULL), '{}') AS skipped,
  coalesce(sum("simulated") FILTER (WHERE "reason" IS NULL), 0)::int AS simulated,
  ${test ? variantCounts : constant(`'{}'::jsonb`)} AS variants, ${last}
FROM (SELECT "reason", count(*)::int AS "count", count(*) FILTER (WHERE "isSimulated")::int AS "simulated" FROM email GROUP BY 1) n`);
  if (!row) throw new Error('freezing an audience gave no row');
  const { contacts, lastCreatedAt, lastId, ...frozen } = row;
  const isLast = limit === null || contacts < limit || lastCreatedAt === null || lastId === null;
  return { ...frozen, next: isLast ? null : { createdAt: lastCreatedAt, id: lastId } };
}
