import { projectIdOf, query } from '../../base/kernel/index.ts';
import { presentTopic } from './present-topic.ts';
import { topicNotFound } from './topic-not-found.ts';
import { topicIdInput, topicRecord } from './topics.schema.ts';
import { findTopic } from './topics.store.ts';

export const getTopic = query({
  name: 'topics.get',
  summary: 'Returns one topic',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: topicIdInput,
  output: topicRecord,
  async handler(ctx, { id }) {
    const topic = await findTopic(ctx.db, projectIdOf(ctx), id);
    if (!topic) throw topicNotFound();
    return presentTopic(ctx.db, topic);
  },
});
