import { withTopics } from '../../audience/topics/index.ts';
import { constant, type Db, findNeglectedRows, type NeglectedRow, Prisma } from '../../base/db/index.ts';
import { insertReports, reportEvent } from '../../base/event-types/index.ts';
import { acceptedOf, amountOf, countsOfCampaign, isDeliveryReported } from '../../base/figures/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { Addressee } from '../../base/kernel/ports/platform-mailer.ts';
import { newId, type Whole } from '../../base/lib/index.ts';
import type { Design } from '../../content/templates/index.ts';
import type { SkipReason } from '../../mail/eligibility/index.ts';
import type { AudienceCursor, CampaignCounts, SkippedBy } from '../../mail/ledger/index.ts';
import type { OwnLinkTags } from '../../mail/message/link-tags.rules.ts';
import { type CampaignConversions, conversionsOfCampaigns, removeRecipients } from '../goals/index.ts';
import { approvalsOf, endAsking, type PresentedApproval } from './campaign-approvals.store.ts';
import type { CampaignStatus, CampaignStatusReason, PauseReason } from './campaigns.rules.ts';
import type { CampaignInput } from './campaigns.schema.ts';
import type { LocalTime } from './local-time.rules.ts';
import { type PresentedTest, presentTest } from './variants/present-test.ts';
import type { StoredTest } from './variants/variants.rules.ts';

/** A campaign without its design, which only reading and changing one campaign need. */
export type CampaignRow = Omit<Prisma.CampaignGetPayload<object>, 'design'>;
type Counters = Omit<Prisma.CampaignCounterGetPayload<object>, 'campaignId' | 'projectId'>;

export interface CounterRow extends Counters {
  /** `skippedCount` by reason */
  skips: SkippedBy;
}
export type CountedCampaign = Omit<CampaignRow, 'pauseReason' | 'utm' | 'test'> &
  CounterRow &
  DerivedFigures &
  GoalFigures & {
    /** without designs, but where one campaign is read */ test: PresentedTest | null;
    /** the key of its topic */ topic: string | null;
    pauseReason: PauseReason | null;
    /** the id of the first campaign of its family, which can be its own */
    familyId: string;
    pace: { perHour: number | null; careful: boolean } | null;
    utm: OwnLinkTags | null;
    localTime: LocalTime | null;
    approval: PresentedApproval | null;
  };
/** A campaign as one operation returns it. */
export type DesignedCampaign = CountedCampaign & { design: Design | null };

/** The reason of emails that the draw of a holdout leaves out. */
const heldOut = 'held_out' satisfies SkipReason;

const noCounts: CounterRow = {
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
  refusedCount: 0,
  complainedCount: 0,
  unsubscribedCount: 0,
  failedCount: 0,
  skippedCount: 0,
  uncertainCount: 0,
  skips: {},
};

/** What follows from the counters of a campaign. */
interface DerivedFigures {
  acceptedCount: number;
  heldOutCount: number;
  deliveryReported: boolean;
}

/** What the emails of a campaign have led to; null without a goal. */
interface GoalFigures {
  conversions: CampaignConversions | null;
  convertedCount: number | null;
  convertedValue: number | null;
}

const goalFiguresOf = (conversions: CampaignConversions | null): GoalFigures => ({
  conversions,
  convertedCount: conversions?.converted ?? null,
  convertedValue: conversions && conversions.currency !== null ? amountOf(conversions.value) : null,
});

function derivedOf(counters: CounterRow): DerivedFigures {
  const counts = countsOfCampaign(counters);
  return {
    acceptedCount: acceptedOf(counts),
    heldOutCount: counters.skips[heldOut] ?? 0,
    deliveryReported: isDeliveryReported(counts),
  };
}

/** Adds the counters, topics and approvals of campaigns of one project, with one query each for all rows. */
export async function withCounters(db: Db, campaigns: CampaignRow[]): Promise<CountedCampaign[]> {
  const counters = await findCounters(
    db,
    campaigns.map(({ id }) => id),
  );
  const byId = new Map(counters.map((row) => [row.campaignId, row]));
  const [first] = campaigns;
  const withKeys = first ? await withTopics(db, first.projectId, campaigns) : [];
  const withGoal = campaigns.flatMap(({ id, goalId }) => (goalId === null ? [] : id));
  const conversions = await conversionsOfCampaigns(db, first?.projectId ?? '', withGoal);
  const approvals = first ? await approvalsOf(db, first.projectId, campaigns) : null;
  return withKeys.map((campaign) => {
    const counters = byId.get(campaign.id) ?? noCounts;
    return {
      ...campaign,
      ...counters,
      ...derivedOf(counters),
      ...goalFiguresOf(conversions.get(campaign.id) ?? null),
      id: campaign.id,
      pauseReason: campaign.pauseReason as PauseReason | null,
      pace: paceOf(campaign),
      test: presentTest(campaign),
      localTime: localTimeOf(campaign),
      utm: campaign.utm as OwnLinkTags | null,
      familyId: campaign.familyId ?? campaign.id,
      approval: approvals?.get(campaign.id) ?? null,
    };
  });
}

const paceOf = ({ perHour, careful }: CampaignRow): CountedCampaign['pace'] =>
  perHour === null && !careful ? null : { perHour, careful };

/** The time of the clocks of each contact at which it is sent; null for one that has none. */
export const localTimeOf = ({
  localAt: at,
  whenPassed,
}: Pick<CampaignRow, 'localAt' | 'whenPassed'>): LocalTime | null =>
  at === null ? null : { at, whenPassed: whenPassed === 'NOW' ? 'NOW' : 'NEXT_DAY' };

/** Counters and skips in one statement, as they change together. */
const findCounters = (db: Db, campaignIds: string[]): Promise<(CounterRow & { campaignId: string })[]> =>
  db.$queryRaw(Prisma.sql`
SELECT c.*, (SELECT coalesce(jsonb_object_agg(s."reason", s."count") FILTER (WHERE s."count" > 0), '{}') FROM "CampaignSkip" s
  WHERE s."campaignId" = c."campaignId") AS "skips"
FROM "CampaignCounter" c WHERE c."campaignId" = ANY(${campaignIds}::uuid[])`);

export async function findCampaign(db: Db, projectId: string, id: string): Promise<DesignedCampaign | null> {
  const row = await db.campaign.findFirst({ where: { id, projectId } });
  if (!row) return null;
  const [counted] = await withCounters(db, [row]);
  return counted ? { ...counted, design: row.design as Design | null, test: presentTest(row, true) } : null;
}

/** The document of the visual editor; null of HTML. */
export async function designOfCampaign(db: Db, projectId: string, id: string): Promise<Design | null> {
  const row = await db.campaign.findFirst({ where: { id, projectId }, select: { design: true } });
  return (row?.design ?? null) as Design | null;
}

/** What the texts of a campaign take of the storage; 0 when there is none. */
export async function storedBytesOfCampaign(db: Db, projectId: string, id: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(
    Prisma.sql`SELECT "storedBytes"::float8 AS "bytes" FROM "Campaign" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`,
  );
  return row?.bytes ?? 0;
}

/** At most what the contents of its emails take of the storage; 0 when there is none. */
export async function contentBytesOfCampaign(db: Db, projectId: string, id: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(Prisma.sql`
SELECT (c."own" * CASE WHEN "test" IS NULL THEN 1 ELSE 2 + jsonb_array_length("test" -> 'variants') END + coalesce(octet_length("test"::text), 0))::float8 AS "bytes"
FROM "Campaign" CROSS JOIN LATERAL (SELECT octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) AS "own") c
WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`);
  return row?.bytes ?? 0;
}

/** The editable fields of a campaign, and what is derived from them. */
export interface CampaignFields
  extends Whole<Omit<CampaignInput, 'audienceCondition' | 'topic' | 'pace' | 'test'>> {
  test: StoredTest | null;
  perHour: number | null;
  careful: boolean;
  topicId: string | null;
  /** a validated filter tree */
  audienceCondition: object | null;
  reads: string[];
  /** the contact fields that its texts name */
  textReads: string[];
  totalRecipients: number;
}

/** Where a sequel belongs; a campaign without a family of others has none. */
export type FamilyPlace = { familyId: string; round: number };

const columnsOf = ({ audienceCondition, design, utm, test, ...fields }: CampaignFields) => ({
  ...fields,
  utm: utm === null ? Prisma.DbNull : { ...utm },
  test: (test as unknown as Prisma.InputJsonObject | null) ?? Prisma.DbNull,
  design: (design as Prisma.InputJsonObject | null) ?? Prisma.DbNull,
  audienceCondition: (audienceCondition as Prisma.InputJsonObject | null) ?? Prisma.DbNull,
});

/** The user who writes; null for a key and for the service. */
interface Author {
  changedById?: string | null;
}

/** Stores a draft, with its counters at 0. */
export async function insertCampaign(
  db: Db,
  projectId: string,
  fields: CampaignFields,
  { changedById = null, ...place }: Partial<FamilyPlace> & Author = {},
): Promise<DesignedCampaign> {
  const id = newId();
  const row = await db.campaign.create({
    data: { ...columnsOf(fields), ...place, changedById, id, projectId },
  });
  await writeCounters(db, id, projectId, {});
  const [counted] = await withCounters(db, [row]);
  if (!counted) throw new Error('a campaign was stored without its counters');
  return { ...counted, design: fields.design, test: presentTest(row, true) };
}

export type UnreadCampaign = Pick<
  CampaignRow,
  'id' | 'projectId' | 'updatedAt' | 'subject' | 'preheader' | 'body' | 'text'
>;

export const findUnreadCampaigns = (db: Db, limit: number): Promise<UnreadCampaign[]> => db.$queryRaw`
  SELECT "id", "projectId", "updatedAt", "subject", "preheader", "body", "text" FROM "Campaign" WHERE "textReads" IS NULL LIMIT ${limit}::int`;

/** Of a campaign that is still what was read. */
export async function writeTextReads(
  db: Db,
  { id, projectId, updatedAt }: Pick<CampaignRow, 'id' | 'projectId' | 'updatedAt'>,
  reads: string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Campaign" SET "textReads" = ${reads}::text[]
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "textReads" IS NULL AND "updatedAt" = ${updatedAt}::timestamptz`;
}

/** What a campaign is compared with: its own id, if it is stored, and to whom it goes with which subject. */
export type ComparedCampaign = Pick<CampaignRow, 'projectId' | 'subject' | 'audienceType' | 'segmentId'> & {
  id?: string | undefined;
  audienceCondition?: unknown;
};

/** The latest other campaign with the same subject and audience that began within the last 24 hours. */
export async function findSameBefore(
  db: Db,
  { id = noId, projectId, subject, audienceType, segmentId, audienceCondition }: ComparedCampaign,
): Promise<{ id: string; name: string; sentAt: Date } | null> {
  const condition = audienceCondition == null ? null : JSON.stringify(audienceCondition);
  const [row] = await db.$queryRaw<{ id: string; name: string; sentAt: Date }[]>(Prisma.sql`
SELECT "id", "name", "sentAt" FROM "Campaign"
WHERE "projectId" = ${projectId}::uuid AND "id" <> ${id}::uuid AND "sentAt" > now() - interval '24 hours' AND "status" IN ('SENDING', 'SENT')
  AND "subject" = ${subject} AND "audienceType" = ${audienceType}::"AudienceType" AND "segmentId" IS NOT DISTINCT FROM ${segmentId}::uuid
  AND "audienceCondition" IS NOT DISTINCT FROM ${condition}::jsonb
ORDER BY "sentAt" DESC, "id" LIMIT 1`);
  return row ?? null;
}

/** The recipients of the largest other campaign that was sent; 0 without any. */
export async function findLargestBefore(
  db: Db,
  { id = noId, projectId }: Pick<ComparedCampaign, 'id' | 'projectId'>,
): Promise<number> {
  const { _max } = await db.campaign.aggregate({
    where: { projectId, id: { not: id }, status: { in: ['SENDING', 'SENT'] } },
    _max: { totalRecipients: true },
  });
  return _max.totalRecipients ?? 0;
}

/** For how long after a restore campaigns that it brought back are looked at twice, in days. */
const doubtedDays = 7;

/** What the latest restore has lost, of a campaign that was there before (behaviour B11.6); null without one in these days. */
export async function findRestored(
  db: Db,
  { id = noId, projectId }: Pick<ComparedCampaign, 'id' | 'projectId'>,
): Promise<{ dataUntil: Date; lostUntil: Date } | null> {
  const [row] = await db.$queryRaw<{ dataUntil: Date; lostUntil: Date }[]>`
    SELECT e."dataUntil", e."lostUntil" FROM "Campaign" c JOIN "Epoch" e ON e."cause" = 'restore' AND e."dataUntil" < e."lostUntil"
      AND e."startedAt" > now() - ${doubtedDays}::int * interval '1 day' AND c."createdAt" <= e."dataUntil"
    WHERE c."id" = ${id}::uuid AND c."projectId" = ${projectId}::uuid ORDER BY e."epoch" DESC LIMIT 1`;
  return row ?? null;
}

/** That of no campaign. */
const noId = '00000000-0000-0000-0000-000000000000';

/** The workflow reads the row at the scheduled time, so it needs no signal. @param author without one, the last author stays */
export const replaceCampaign = (
  db: Db,
  projectId: string,
  id: string,
  fields: CampaignFields,
  { changedById }: Author = {},
): Promise<CampaignRow> =>
  db.campaign.update({
    where: { id, projectId },
    data: { ...columnsOf(fields), ...(changedById && { changedById }) },
    omit: { design: true },
  });

/**
 * Deletes a campaign's row. Its counters stay while any of its emails refers to it: `reconcile` finds unfinished
 * work by them.
 */
export async function removeCampaign(db: Db, projectId: string, id: string): Promise<void> {
  await db.campaign.deleteMany({ where: { id, projectId } });
  await endAsking(db, projectId, [id]);
}

export async function removeCounters(db: Db, campaignId: string): Promise<void> {
  await db.campaignCounter.deleteMany({ where: { campaignId } });
  await db.campaignSkip.deleteMany({ where: { campaignId } });
  await removeRecipients(db, campaignId);
  await db.campaignWave.deleteMany({ where: { campaignId } });
  await db.expiredEmails.deleteMany({ where: { scopeId: campaignId } });
}

/** The project of a deleted campaign whose emails still refer to it; null when there are none. */
export async function projectOfDeleted(db: Db, campaignId: string): Promise<string | null> {
  const row = await db.campaignCounter.findUnique({ where: { campaignId }, select: { projectId: true } });
  return row?.projectId ?? null;
}

/** Whether a member of the project has this address; invitations do not count. */
export async function isMemberAddress(db: Db, projectId: string, email: string): Promise<boolean> {
  return (await db.member.count({ where: { projectId, user: { email } } })) > 0;
}

export async function findContactId(db: Db, projectId: string, email: string): Promise<string | null> {
  const row = await db.contact.findUnique({
    where: { projectId_email: { projectId, email } },
    select: { id: true },
  });
  return row?.id ?? null;
}

const ofDisabledProject: CampaignStatusReason = 'project_disabled';

/** Cancels the scheduled and sending campaigns of a disabled project (B3.1, B3.6). @returns the campaigns' ids */
export async function cancelOfDisabledProject(db: Db, projectId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
WITH "cancelled" AS (
  UPDATE "Campaign" SET "status" = 'CANCELLED', "statusReason" = ${ofDisabledProject}, "pausedAt" = NULL, "pauseReason" = NULL, "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
  WHERE "projectId" = ${projectId}::uuid AND "status" IN ('SCHEDULED', 'SENDING')
    AND EXISTS (SELECT FROM "Project" p WHERE p."id" = ${projectId}::uuid AND p."disabled")
  RETURNING *
), "reported" AS (${reportCancelled('"cancelled"')})
SELECT "id" FROM "cancelled"`);
  const ids = rows.map(({ id }) => id);
  await endAsking(db, projectId, ids);
  return ids;
}

/** For Temporal workflows, which have only the id. */
export const readCampaign = (db: Db, id: string): Promise<CampaignRow | null> =>
  db.campaign.findUnique({ where: { id }, omit: { design: true } });

export const readCounters = async (db: Db, campaignId: string): Promise<CounterRow | null> =>
  (await findCounters(db, [campaignId]))[0] ?? null;

/** Differs after every change of the counters, and after emails were removed for their age. */
export async function countersVersion(db: Db, campaignId: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ version: string }[]>(Prisma.sql`
    SELECT concat_ws('/', c.xmin, x."count") AS "version" FROM "CampaignCounter" c
    LEFT JOIN "ExpiredEmails" x ON x."scopeId" = c."campaignId" AND x."counter" = 'emails' WHERE c."campaignId" = ${campaignId}::uuid`);
  return row?.version ?? null;
}

export interface CampaignProject {
  name: string;
  language: string;
  disabled: boolean;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
  sendRate: number | null;
  /** which links get tags, as it is stored */
  utm: unknown;
  timeZone: string;
}

export const readCampaignProject = (db: Db, projectId: string): Promise<CampaignProject | null> =>
  db.project.findUnique({
    where: { id: projectId },
    select: {
      name: true,
      language: true,
      disabled: true,
      tracking: true,
      sendRate: true,
      utm: true,
      timeZone: true,
    },
  });

export async function findCampaigns(db: Db, projectId: string, ids: string[]): Promise<CountedCampaign[]> {
  return withCounters(
    db,
    await db.campaign.findMany({ where: { id: { in: ids }, projectId }, omit: { design: true } }),
  );
}

/** The place of a campaign in its family, which never changes. @param projectId null for Temporal workflows */
export const findPlace = (db: Db, projectId: string | null, id: string) =>
  db.campaign.findFirst({
    where: { id, ...(projectId !== null && { projectId }) },
    select: { id: true, projectId: true, familyId: true, round: true },
  });

/** Locks the campaign's row until the transaction ends, which serialises starts, cancellations and freezes. */
export async function lockCampaign(
  db: Db,
  projectId: string | null,
  id: string,
): Promise<CampaignRow | null> {
  const own = projectId === null ? Prisma.empty : Prisma.sql`AND "projectId" = ${projectId}::uuid`;
  await db.$queryRaw(Prisma.sql`SELECT 1 FROM "Campaign" WHERE "id" = ${id}::uuid ${own} FOR UPDATE`);
  const where = projectId === null ? { id } : { id, projectId };
  return db.campaign.findFirst({ where, omit: { design: true } });
}

export interface CampaignSearch {
  page: number;
  pageSize: number;
  status?: CampaignStatus | undefined;
  paused?: boolean | undefined;
  familyId?: string | undefined;
  search?: string | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt';
  dir: 'asc' | 'desc';
}

export async function searchCampaigns(
  db: Db,
  projectId: string,
  { page, pageSize, status, paused, familyId, search, sort, dir }: CampaignSearch,
): Promise<{ rows: CountedCampaign[]; total: number }> {
  // Prisma passes the text to LIKE unescaped, where `%`, `_` and `\` have a special meaning.
  const contains = search
    ? { contains: search.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const }
    : undefined;
  const where: Prisma.CampaignWhereInput = {
    projectId,
    ...(status ? { status } : {}),
    ...(paused === undefined ? {} : { pausedAt: paused ? { not: null } : null }),
    ...(familyId ? { AND: { OR: [{ id: familyId }, { familyId }] } } : {}),
    ...(contains ? { OR: [{ name: contains }, { subject: contains }, { from: contains }] } : {}),
  };
  const [rows, total] = await Promise.all([
    db.campaign.findMany({
      where,
      orderBy: [{ [sort]: dir }, { id: dir }],
      skip: (page - 1) * pageSize,
      take: pageSize,
      omit: { design: true },
    }),
    db.campaign.count({ where }),
  ]);
  return { rows: await withCounters(db, rows), total };
}

/** One keyset page of the campaigns of a project, newest first. */
export async function pageOfCampaigns(
  db: Db,
  projectId: string,
  status: CampaignStatus | undefined,
  { after, take }: { after: Keyset | null; take: number },
): Promise<CountedCampaign[]> {
  const rows = await db.campaign.findMany({
    where: {
      projectId,
      ...(status && { status }),
      ...(after && {
        OR: [
          { createdAt: { lt: new Date(after.value) } },
          { createdAt: new Date(after.value), id: { lt: after.id } },
        ],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
    omit: { design: true },
  });
  return withCounters(db, rows);
}

export const countCampaigns = (
  db: Db,
  projectId: string,
  status: CampaignStatus | undefined,
): Promise<number> => db.campaign.count({ where: { projectId, ...(status && { status }) } });

/** Campaigns being sent, and the latest that ended within the last hour. */
export async function findActiveCampaigns(db: Db, projectId: string): Promise<CountedCampaign[]> {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const rows = await db.campaign.findMany({
    where: {
      projectId,
      OR: [{ status: { in: ['SENDING', 'SCHEDULED'] } }, { status: 'SENT', closedAt: { gte: anHourAgo } }],
    },
    orderBy: [{ updatedAt: 'desc' }],
    take: 10,
    omit: { design: true },
  });
  return withCounters(db, rows);
}

/** The member of its project who has made a campaign; null where that was a program, or is not a member any more. */
export async function findAuthor(db: Db, projectId: string, id: string): Promise<Addressee | null> {
  const [author] = await db.$queryRaw<Addressee[]>(Prisma.sql`
SELECT u."email", u."language" FROM (
  SELECT "actorType", "actorId" FROM "AuditLog" WHERE "projectId" = ${projectId}::uuid AND "targetId" = ${id}
    AND "operation" IN ('campaigns.create', 'campaigns.duplicate', 'campaigns.createSequel')
  ORDER BY "createdAt" LIMIT 1
) a JOIN "Member" m ON m."projectId" = ${projectId}::uuid AND m."userId"::text = a."actorId" JOIN "User" u ON u."id" = m."userId"
WHERE a."actorType" = 'user'`);
  return author ?? null;
}

const notPaused = { pausedAt: null, pauseReason: null };
const endsPause = (status: unknown): boolean => status === 'SENT' || status === 'CANCELLED';

/** Changes a campaign and raises `wakeSeq`, so that `reconcile` finds it if the following signal is lost. */
export async function changeCampaign(
  db: Db,
  id: string,
  data: Omit<Prisma.CampaignUpdateInput, 'statusReason' | 'pauseReason'> & {
    statusReason?: CampaignStatusReason | null;
    pauseReason?: PauseReason | null;
  },
): Promise<CampaignRow> {
  const row = await db.campaign.update({
    where: { id },
    data: { ...data, ...(endsPause(data.status) && notPaused), wakeSeq: { increment: 1 } },
    omit: { design: true },
  });
  if (data.status === 'CANCELLED' || data.status === 'SENDING') await endAsking(db, row.projectId, [id]);
  if (data.status === 'CANCELLED') {
    const { projectId, name, subject, statusReason, totalRecipients } = row;
    await reportEvent(db, 'campaign.cancelled', projectId, {
      campaignId: id,
      campaignName: name,
      subject,
      reason: statusReason,
      totalRecipients,
    });
  }
  return row;
}

/** Marks one campaign as told of that has been paused for a week; null when there is none. */
export async function claimForgotten(
  db: Db,
): Promise<Pick<CampaignRow, 'id' | 'projectId' | 'name' | 'totalRecipients'> | null> {
  const [row] = await db.$queryRaw<
    Pick<CampaignRow, 'id' | 'projectId' | 'name' | 'totalRecipients'>[]
  >(Prisma.sql`
UPDATE "Campaign" c SET "pauseToldAt" = now() FROM (
  SELECT "id" FROM "Campaign" WHERE "pausedAt" < now() - interval '7 days' AND "status" = 'SENDING' AND coalesce("pauseToldAt" < "pausedAt", true)
  ORDER BY "pausedAt" LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
) f WHERE c."id" = f."id"
RETURNING c."id", c."projectId", c."name", c."totalRecipients"`);
  return row ?? null;
}

/** Reports campaigns that one statement cancels. @param rows a relation with their columns, after the change */
export const reportCancelled = (rows: string): Prisma.Sql =>
  insertReports(
    'campaign.cancelled',
    constant(`SELECT "projectId", NULL::uuid AS "contactId", jsonb_build_object('campaignId', "id", 'campaignName', "name",
      'subject', "subject", 'reason', "statusReason", 'totalRecipients', "totalRecipients") AS "data" FROM ${rows}`),
  );

/** Records a look at the test of a campaign, which changes nothing that is to be read. */
export const noteLook = (db: Db, id: string, at: Date): Promise<unknown> =>
  db.$executeRaw`UPDATE "Campaign" SET "testLookedAt" = ${at}::timestamptz WHERE "id" = ${id}::uuid`;

/** Records that the workflow has handled everything up to this seq. */
export const markSeen = (db: Db, id: string, seq: bigint): Promise<unknown> =>
  db.campaign.updateMany({ where: { id, seenSeq: { lt: seq } }, data: { seenSeq: seq } });

export async function writeCounters(
  db: Db,
  campaignId: string,
  projectId: string,
  counts: Partial<Counters>,
): Promise<void> {
  await db.campaignCounter.upsert({
    where: { campaignId },
    create: { campaignId, projectId, ...counts },
    update: counts,
  });
}

interface FrozenPart {
  recipients: number;
  contentId: string;
  /** contents of its rest and variants, and recipients of each, earlier parts included; null without a test */
  test: { contents: readonly string[]; recipients: readonly number[] } | null;
  next: AudienceCursor | null;
}

/** A test runs once all of the audience is frozen; in an empty audience nothing is compared. Its sample is the first wave. */
const begunTest = ({ test, next }: FrozenPart): Prisma.Sql =>
  test === null
    ? Prisma.empty
    : Prisma.sql`"wave" = 1, "variantContents" = ${[...test.contents]}::uuid[], "variantRecipients" = ${[...test.recipients]}::int[],
  "testState" = ${next === null && test.recipients.some((count) => count > 0) ? 'RUNNING' : null},`;

/**
 * Marks a part of a campaign's audience as frozen, unless the campaign was cancelled or frozen in the meantime.
 *
 * @param next where the next part begins; null after the last one
 * @returns whether it was marked
 */
export async function markFrozen(db: Db, id: string, part: FrozenPart): Promise<boolean> {
  const { recipients, contentId, next } = part;
  const marked = await db.$executeRaw(Prisma.sql`
UPDATE "Campaign" SET ${begunTest(part)} "frozenAt" = coalesce("frozenAt", now()), "contentId" = ${contentId}::uuid,
  "totalRecipients" = ${recipients} + CASE WHEN "frozenAt" IS NULL THEN 0 ELSE "totalRecipients" END,
  "frozenToCreatedAt" = ${next?.createdAt ?? null}, "frozenToId" = ${next?.id ?? null}::uuid,
  "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
WHERE "id" = ${id}::uuid AND "status" = 'SENDING' AND ("frozenAt" IS NULL OR "frozenToId" IS NOT NULL)`);
  return marked > 0;
}

/** Whether the audience is frozen, all of it. */
export const isFrozen = ({ frozenAt, frozenToId }: Pick<CampaignRow, 'frozenAt' | 'frozenToId'>): boolean =>
  frozenAt !== null && frozenToId === null;

/** Adds to the counters of a campaign. `db` must be a transaction. */
export async function addToCounters(
  db: Db,
  campaignId: string,
  { counters, skips }: CampaignCounts,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(counters).map(([column, difference]) => [column, { increment: difference }]),
  );
  // The counters first, whose lock makes everyone change the skips one after the other.
  await db.campaignCounter.update({ where: { campaignId }, data });
  const changed = Object.entries(skips).filter(([, difference]) => difference !== 0);
  if (changed.length === 0) return;
  await db.$executeRaw(Prisma.sql`
INSERT INTO "CampaignSkip" ("campaignId", "reason", "count")
SELECT ${campaignId}::uuid, s."reason", s."count"
FROM unnest(${changed.map(([reason]) => reason)}::text[], ${changed.map(([, difference]) => difference)}::int[]) AS s("reason", "count")
ON CONFLICT ("campaignId", "reason") DO UPDATE SET "count" = "CampaignSkip"."count" + excluded."count"`);
}

/**
 * Campaigns that need a signal: changed and not read since, due, still sending, of a disabled project, cancelled while emails wait, or
 * deleted while emails refer to them.
 */
export function findNeglected(
  db: Db,
  after: NeglectedRow | null,
  limit: number,
  overdueSeconds: number,
): Promise<NeglectedRow[]> {
  const overdue = Prisma.sql`now() - ${overdueSeconds} * interval '1 second'`;
  const parts = [
    Prisma.sql`SELECT "id", "updatedAt" AS "since" FROM "Campaign" WHERE "wakeSeq" > "seenSeq" AND "updatedAt" < now() - interval '5 seconds'`,
    Prisma.sql`SELECT "id", "scheduledFor" AS "since" FROM "Campaign" WHERE "status" = 'SCHEDULED' AND "scheduledFor" < ${overdue}`,
    Prisma.sql`SELECT "id", "updatedAt" AS "since" FROM "Campaign" WHERE "status" = 'SENDING' AND "updatedAt" < ${overdue}`,
    Prisma.sql`SELECT c."id", c."updatedAt" AS "since" FROM "Campaign" c JOIN "Project" p ON p."id" = c."projectId"
      WHERE c."status" IN ('SCHEDULED', 'SENDING') AND p."disabled"`,
    Prisma.sql`
      WITH RECURSIVE open("id") AS (
        (SELECT "campaignId" FROM "DeliveryBatch" WHERE "campaignId" IS NOT NULL ORDER BY "campaignId" LIMIT 1)
        UNION ALL
        SELECT (SELECT b."campaignId" FROM "DeliveryBatch" b WHERE b."campaignId" > open."id" ORDER BY b."campaignId" LIMIT 1)
        FROM open WHERE open."id" IS NOT NULL
      )
      SELECT c."id", c."updatedAt" AS "since" FROM open JOIN "Campaign" c ON c."id" = open."id"
      WHERE c."status" = 'CANCELLED' AND c."updatedAt" < ${overdue}`,
    Prisma.sql`SELECT k."campaignId" AS "id", to_timestamp(0) AS "since" FROM "CampaignCounter" k
      WHERE NOT EXISTS (SELECT FROM "Campaign" c WHERE c."id" = k."campaignId")`,
  ];
  return findNeglectedRows(db, parts, after, limit);
}
