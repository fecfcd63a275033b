import type { Db, Prisma } from '../db/index.ts';
import { audienceSql } from '../segments/index.ts';
import type { CampaignRow } from './campaigns.store.ts';

type Audience = Pick<CampaignRow, 'projectId' | 'type' | 'audienceType' | 'segmentId'> & {
  audienceCondition: unknown;
};

/** Whom a campaign is for, as the ledger asks for it: everything but the subscription rule of its class. */
export async function audienceOf(
  db: Db,
  { projectId, type, ...audience }: Audience,
): Promise<{ projectId: string; type: CampaignRow['type']; condition: Prisma.Sql }> {
  const condition = await audienceSql(db, projectId, audience);
  return { projectId, type, condition };
}
