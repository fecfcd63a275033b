import type { Db } from '../../base/db/index.ts';
import { subscriberCounts, type TopicRow } from './topics.store.ts';

/** Topics in the form of the API. */
export async function presentTopics(db: Db, projectId: string, topics: readonly TopicRow[]) {
  const countOf = await subscriberCounts(db, projectId, topics);
  return topics.map(({ number, ...topic }) => ({
    ...topic,
    subscriberCount: countOf({ number, default: topic.default }),
  }));
}

/** One topic in the form of the API. */
export async function presentTopic(db: Db, topic: TopicRow) {
  const [presented] = await presentTopics(db, topic.projectId, [topic]);
  if (!presented) throw new Error('presenting a topic gave nothing');
  return presented;
}
