import { type Db, Prisma } from '../db/index.ts';
import { newId } from '../kernel/index.ts';
import type { CampaignStatus } from './campaigns.rules.ts';

export type CampaignRow = Prisma.CampaignGetPayload<object>;
export type CounterRow = Omit<Prisma.CampaignCounterGetPayload<object>, 'campaignId' | 'projectId'>;
export type CountedCampaign = CampaignRow & CounterRow;

const noCounts: CounterRow = {
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
  complainedCount: 0,
  unsubscribedCount: 0,
  failedCount: 0,
  skippedCount: 0,
  uncertainCount: 0,
};

/** Adds the counters, one look-up for all rows. */
export async function withCounters(db: Db, campaigns: CampaignRow[]): Promise<CountedCampaign[]> {
  const counters = await db.campaignCounter.findMany({
    where: { campaignId: { in: campaigns.map(({ id }) => id) } },
  });
  const byId = new Map(counters.map((row) => [row.campaignId, row]));
  return campaigns.map((campaign) => ({
    ...campaign,
    ...(byId.get(campaign.id) ?? noCounts),
    id: campaign.id,
  }));
}

export async function findCampaign(db: Db, projectId: string, id: string): Promise<CountedCampaign | null> {
  const row = await db.campaign.findFirst({ where: { id, projectId } });
  if (!row) return null;
  const [counted] = await withCounters(db, [row]);
  return counted ?? null;
}

export const insertCampaign = (db: Db, data: Prisma.CampaignUncheckedCreateInput): Promise<CampaignRow> =>
  db.campaign.create({ data });

/** For workflows, which know nothing but the id. */
export const readCampaign = (db: Db, id: string): Promise<CampaignRow | null> =>
  db.campaign.findUnique({ where: { id } });

export const readCounters = (db: Db, campaignId: string): Promise<CounterRow | null> =>
  db.campaignCounter.findUnique({ where: { campaignId } });

export interface CampaignProject {
  name: string;
  language: string;
  disabled: boolean;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
}

export const readCampaignProject = (db: Db, projectId: string): Promise<CampaignProject | null> =>
  db.project.findUnique({
    where: { id: projectId },
    select: { name: true, language: true, disabled: true, tracking: true },
  });

/** An entry of the activity feed about a campaign. */
export async function tellActivity(
  db: Db,
  projectId: string,
  name: string,
  data: Prisma.InputJsonObject,
): Promise<void> {
  await db.event.create({ data: { id: newId(), projectId, kind: 'ACTIVITY', name, data } });
}

export async function findCampaigns(db: Db, projectId: string, ids: string[]): Promise<CountedCampaign[]> {
  return withCounters(db, await db.campaign.findMany({ where: { id: { in: ids }, projectId } }));
}

/** Locks the campaign's row until the transaction ends: starts, cancels and freezes happen one after another. */
export async function lockCampaign(
  db: Db,
  projectId: string | null,
  id: string,
): Promise<CampaignRow | null> {
  await db.$queryRaw`SELECT 1 FROM "Campaign" WHERE "id" = ${id}::uuid FOR UPDATE`;
  return db.campaign.findFirst({ where: projectId === null ? { id } : { id, projectId } });
}

export interface CampaignSearch {
  page: number;
  pageSize: number;
  status?: CampaignStatus | undefined;
  search?: string | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt';
  dir: 'asc' | 'desc';
}

export async function searchCampaigns(
  db: Db,
  projectId: string,
  { page, pageSize, status, search, sort, dir }: CampaignSearch,
): Promise<{ rows: CountedCampaign[]; total: number }> {
  const contains = search ? { contains: search, mode: 'insensitive' as const } : undefined;
  const where: Prisma.CampaignWhereInput = {
    projectId,
    ...(status ? { status } : {}),
    ...(contains ? { OR: [{ name: contains }, { subject: contains }, { from: contains }] } : {}),
  };
  const [rows, total] = await Promise.all([
    db.campaign.findMany({
      where,
      orderBy: [{ [sort]: dir }, { id: dir }],
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    db.campaign.count({ where }),
  ]);
  return { rows: await withCounters(db, rows), total };
}

/** Campaigns under way, and the last that ended within the hour: what somebody watches. */
export async function findActiveCampaigns(db: Db, projectId: string): Promise<CountedCampaign[]> {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const rows = await db.campaign.findMany({
    where: {
      projectId,
      OR: [{ status: { in: ['SENDING', 'SCHEDULED'] } }, { status: 'SENT', closedAt: { gte: anHourAgo } }],
    },
    orderBy: [{ updatedAt: 'desc' }],
    take: 10,
  });
  return withCounters(db, rows);
}

/** Changes a campaign and raises `wakeSeq`, so that `reconcile` finds it if the poke that follows gets lost. */
export const changeCampaign = (db: Db, id: string, data: Prisma.CampaignUpdateInput): Promise<CampaignRow> =>
  db.campaign.update({ where: { id }, data: { ...data, wakeSeq: { increment: 1 } } });

/** What the workflow has read: everything up to this seq is dealt with. */
export const markSeen = (db: Db, id: string, seq: bigint): Promise<unknown> =>
  db.campaign.updateMany({ where: { id, seenSeq: { lt: seq } }, data: { seenSeq: seq } });

export async function writeCounters(
  db: Db,
  campaignId: string,
  projectId: string,
  counts: Partial<CounterRow>,
): Promise<void> {
  await db.campaignCounter.upsert({
    where: { campaignId },
    create: { campaignId, projectId, ...counts },
    update: counts,
  });
}

/** Campaigns that somebody must look at: changed and not read since, due, or still sending. */
export async function findNeglected(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
(SELECT "id" FROM "Campaign" WHERE "wakeSeq" > "seenSeq" AND "updatedAt" < now() - interval '5 seconds' ORDER BY "updatedAt" LIMIT ${limit})
UNION
(SELECT "id" FROM "Campaign" WHERE "status" = 'SCHEDULED' AND "scheduledFor" < now() - interval '60 seconds' ORDER BY "scheduledFor" LIMIT ${limit})
UNION
(SELECT "id" FROM "Campaign" WHERE "status" = 'SENDING' AND "updatedAt" < now() - interval '60 seconds' ORDER BY "updatedAt" LIMIT ${limit})
LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}
