import type { Db, SqlDb } from '../../base/db/index.ts';
import { unknownTopicError } from './topic-not-found.ts';
import { findTopicByKey, type TopicRow } from './topics.store.ts';

/**
 * The topic that a record begins to name; it is neither archived nor deleted before the transaction ends.
 *
 * @returns null for none
 * @throws AppError VALIDATION_ERROR `unknown_topic` at `topic`
 */
export const requireTopic = (
  db: Db,
  projectId: string,
  key: string | null | undefined,
): Promise<TopicRow | null> => namedTopic(db, projectId, key, 'keep');

/** The topic that a request names without storing it. @see requireTopic */
export async function namedTopic(
  db: SqlDb,
  projectId: string,
  key: string | null | undefined,
  lock?: 'keep',
): Promise<TopicRow | null> {
  if (key === null || key === undefined) return null;
  const topic = await findTopicByKey(db, projectId, key, lock);
  if (!topic) throw unknownTopicError('topic', key);
  return topic;
}
