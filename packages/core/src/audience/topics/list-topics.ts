import { projectIdOf, query } from '../../base/kernel/index.ts';
import { presentTopics } from './present-topic.ts';
import { listTopicsInput, topicList } from './topics.schema.ts';
import { readTopics } from './topics.store.ts';

export const listTopics = query({
  name: 'topics.list',
  summary: 'Lists the topics of the project in the order in which recipients see them',
  permission: 'data:read',
  input: listTopicsInput,
  output: topicList,
  async handler(ctx, { archived }) {
    const projectId = projectIdOf(ctx);
    return presentTopics(ctx.db, projectId, await readTopics(ctx.db, projectId, { archived }));
  },
});
