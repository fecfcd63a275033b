import { type Db, Prisma } from '../../base/db/index.ts';
import type { CampaignMetric } from './analytics.schema.ts';
import type { Period } from './period.rules.ts';

export interface CampaignFigures {
  sentCount: number;
  deliveredCount: number;
  openedCount: number;
  clickedCount: number;
  bouncedCount: number;
  /** of these, never sent */
  refusedCount: number;
  complainedCount: number;
  unsubscribedCount: number;
}

export interface CampaignWithFigures extends CampaignFigures {
  id: string;
  name: string;
  subject: string;
  status: 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'SENT' | 'CANCELLED';
  sentAt: Date;
  totalRecipients: number;
}

/** Campaigns whose sending started in a period, with their counters. */
const startedIn = (projectId: string, { from, to }: Period): Prisma.Sql => Prisma.sql`
  "Campaign" c LEFT JOIN "CampaignCounter" k ON k."campaignId" = c."id"
  WHERE c."projectId" = ${projectId}::uuid AND c."sentAt" >= ${from} AND c."sentAt" < ${to}`;

const figures = Prisma.raw(
  ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'refused', 'complained', 'unsubscribed']
    .map((state) => `coalesce(k."${state}Count", 0) AS "${state}Count"`)
    .join(', '),
);
const columns = Prisma.sql`c."id", c."name", c."subject", c."status", c."sentAt", c."totalRecipients", ${figures}`;

const counterOf: Record<CampaignMetric, Prisma.Sql> = {
  opens: Prisma.raw('"openedCount"'),
  clicks: Prisma.raw('"clickedCount"'),
  sent: Prisma.raw('"sentCount"'),
};

export const findTopCampaigns = (
  db: Db,
  projectId: string,
  period: Period,
  { metric, limit }: { metric: CampaignMetric; limit: number },
): Promise<CampaignWithFigures[]> =>
  db.$queryRaw<CampaignWithFigures[]>`
    SELECT ${columns} FROM ${startedIn(projectId, period)}
    ORDER BY coalesce(k.${counterOf[metric]}, 0) DESC, c."sentAt" DESC, c."id" DESC LIMIT ${limit}::int`;

export const findStartedCampaigns = (
  db: Db,
  projectId: string,
  period: Period,
  limit: number,
): Promise<CampaignWithFigures[]> =>
  db.$queryRaw<CampaignWithFigures[]>`
    SELECT ${columns} FROM ${startedIn(projectId, period)} ORDER BY c."sentAt" DESC, c."id" DESC LIMIT ${limit}::int`;

export async function totalOfCampaigns(
  db: Db,
  projectId: string,
  period: Period,
): Promise<CampaignFigures & { campaigns: number }> {
  const [totals] = await db.$queryRaw<(CampaignFigures & { campaigns: number })[]>`
    SELECT count(*)::int AS "campaigns", coalesce(sum("sentCount"), 0)::int AS "sentCount",
      coalesce(sum("deliveredCount"), 0)::int AS "deliveredCount", coalesce(sum("openedCount"), 0)::int AS "openedCount",
      coalesce(sum("clickedCount"), 0)::int AS "clickedCount", coalesce(sum("bouncedCount"), 0)::int AS "bouncedCount",
      coalesce(sum("refusedCount"), 0)::int AS "refusedCount",
      coalesce(sum("complainedCount"), 0)::int AS "complainedCount",
      coalesce(sum("unsubscribedCount"), 0)::int AS "unsubscribedCount"
    FROM (SELECT ${figures} FROM ${startedIn(projectId, period)}) f`;
  if (!totals) throw new Error('an aggregate without groups has one row');
  return totals;
}
