import { constant, type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { CampaignRow } from './campaigns.store.ts';

/** What a campaign refers to, as its column. */
export type CampaignParent = 'segmentId' | 'templateId';

interface CampaignsOfEach {
  projectId: string;
  parent: CampaignParent;
  ids: readonly string[];
}

const belongsTo = ({ projectId, parent }: CampaignsOfEach): Prisma.Sql =>
  Prisma.sql`k."projectId" = ${projectId}::uuid AND k."${constant(parent)}" = p."id"`;

/** One keyset page of the campaigns of each parent, newest first. */
export async function campaignsOfEach(
  db: Db,
  search: CampaignsOfEach,
  { after, take }: { after: Keyset | null; take: number },
): Promise<CampaignRow[]> {
  const older = after
    ? Prisma.sql`AND (k."createdAt", k."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT k."id"::text AS "id" FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
      SELECT k."id" FROM "Campaign" k WHERE ${belongsTo(search)} ${older}
      ORDER BY k."createdAt" DESC, k."id" DESC LIMIT ${take}::int
    ) k`;
  return db.campaign.findMany({
    where: { projectId: search.projectId, id: { in: found.map(({ id }) => id) } },
    omit: { design: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

export const countCampaignsOfEach = (
  db: Db,
  search: CampaignsOfEach,
): Promise<{ id: string; count: number }[]> => db.$queryRaw`
  SELECT p."id"::text AS "id", k."count" FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
    SELECT count(*)::int AS "count" FROM "Campaign" k WHERE ${belongsTo(search)}
  ) k`;
