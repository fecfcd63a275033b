import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { presentTopic } from './present-topic.ts';
import { mostTopics } from './topics.rules.ts';
import { createTopicInput, mostTopicsText, topicRecord } from './topics.schema.ts';
import { insertTopic, lockTopics, readTopics } from './topics.store.ts';

export const createTopic = command({
  name: 'topics.create',
  summary: 'Creates a topic, which contacts can choose from then on',
  permission: 'data:write',
  risk: 'none',
  errors: ['CONFLICT'],
  input: createTopicInput,
  output: topicRecord,
  async handler(ctx, { description = null, visibility = 'PUBLIC', position = null, ...given }) {
    const projectId = projectIdOf(ctx);
    await lockTopics(ctx.db, projectId);
    const topics = await readTopics(ctx.db, projectId);
    if (topics.some(({ key }) => key === given.key)) {
      throw conflict('Another topic of the project has this key', {
        suggestion: suggestions.CONFLICT.topicKeyTaken,
      });
    }
    if (topics.length >= mostTopics) {
      throw conflict(mostTopicsText, { suggestion: suggestions.CONFLICT.mostTopics });
    }
    const topic = await insertTopic(ctx.db, {
      ...given,
      id: newId(),
      projectId,
      description,
      visibility,
      position,
    });
    ctx.audit({ targetType: 'topic', targetId: topic.id });
    return presentTopic(ctx.db, topic);
  },
});
