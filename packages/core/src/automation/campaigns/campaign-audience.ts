import { type Audience, audienceSql, withinTime } from '../../audience/segments/index.ts';
import { findReceivedTopic } from '../../audience/topics/index.ts';
import type { Db } from '../../base/db/index.ts';
import type { AudienceQuery } from '../../mail/ledger/index.ts';
import type { CampaignRow } from './campaigns.store.ts';

/** The part of a campaign that decides who receives it. */
export type CampaignAudience = Pick<CampaignRow, 'projectId' | 'type' | 'topicId'> & Audience;

/** The audience of a campaign in the form that the ledger expects: everything but the rules of its type and topic. */
export async function audienceOf(
  db: Db,
  { projectId, type, topicId, ...audience }: CampaignAudience,
): Promise<AudienceQuery> {
  const topic = await findReceivedTopic(db, projectId, topicId);
  if (audience.audienceType === 'ALL') return { projectId, type, topic };
  return { projectId, type, topic, condition: await audienceSql(db, projectId, audience) };
}

/**
 * Queries the audience of a campaign within a request. `db` must be a transaction.
 *
 * @throws AppError BAD_REQUEST when a query takes longer than 10 seconds
 */
export async function queryAudience<T>(
  db: Db,
  campaign: CampaignAudience,
  look: (db: Db, request: AudienceQuery) => Promise<T>,
): Promise<T> {
  const request = await audienceOf(db, campaign);
  return withinTime(db, () => look(db, request));
}
