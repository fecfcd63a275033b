import { command, conflict, emptyObject, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { topicNotFound } from './topic-not-found.ts';
import { assertTopicNotUsed } from './topic-users.store.ts';
import { generalKey } from './topics.rules.ts';
import { topicIdInput } from './topics.schema.ts';
import { lockTopic, lockTopics, markDeleted } from './topics.store.ts';

export const deleteTopic = command({
  name: 'topics.delete',
  summary: 'Deletes a topic that is not in use',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: topicIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await lockTopics(ctx.db, projectId);
    const topic = await lockTopic(ctx.db, projectId, id);
    if (!topic) throw topicNotFound();
    if (topic.key === generalKey) {
      throw conflict('This topic cannot be deleted', { suggestion: suggestions.CONFLICT.generalTopic });
    }
    await assertTopicNotUsed(ctx.db, topic);
    await markDeleted(ctx.db, projectId, id);
    ctx.audit({ targetType: 'topic', targetId: id });
    return {};
  },
});
