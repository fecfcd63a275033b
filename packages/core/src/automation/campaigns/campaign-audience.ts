import { type Audience, audienceSql, withinTime } from '../../audience/segments/index.ts';
import { findReceivedTopic } from '../../audience/topics/index.ts';
import type { Db } from '../../base/db/index.ts';
import type { AudienceQuery } from '../../mail/ledger/index.ts';
import type { CampaignRow } from './campaigns.store.ts';
import { othersOfRound } from './family.store.ts';

/** The part of a campaign that decides who receives it; of a stored one with its place in its family. */
export type CampaignAudience = Pick<CampaignRow, 'projectId' | 'type' | 'topicId'> &
  Partial<Pick<CampaignRow, 'id' | 'familyId' | 'round'>> &
  Audience;

/** The audience of a campaign in the form that the ledger expects: everything but the rules of its type and topic. */
export async function audienceOf(
  db: Db,
  { projectId, type, topicId, id, familyId = null, round = 1, ...audience }: CampaignAudience,
): Promise<AudienceQuery> {
  const topic = await findReceivedTopic(db, projectId, topicId);
  const others = id === undefined ? [] : await othersOfRound(db, { id, projectId, familyId, round });
  const request = { projectId, type, topic, ...(others.length > 0 && { others }) };
  if (audience.audienceType === 'ALL') return request;
  return { ...request, condition: await liveAudience(db, projectId, audience) };
}

/** The contacts of an audience at this moment: who has just entered a segment, or left it, is not what its stored members say. */
export const liveAudience = (db: Db, projectId: string, audience: Audience) =>
  audienceSql(db, projectId, audience, undefined, { live: true });

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
