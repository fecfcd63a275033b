import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { presentTopic } from './present-topic.ts';
import { topicNotFound } from './topic-not-found.ts';
import { assertTopicNotUsed } from './topic-users.store.ts';
import { generalKey } from './topics.rules.ts';
import { topicRecord, updateTopicInput } from './topics.schema.ts';
import { changeTopic, lockTopic, lockTopics } from './topics.store.ts';

export const updateTopic = command({
  name: 'topics.update',
  summary: 'Changes a topic, or archives one that is not in use',
  permission: 'data:write',
  risk: 'none',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: updateTopicInput,
  output: topicRecord,
  async handler(ctx, { id, ...given }) {
    const projectId = projectIdOf(ctx);
    await lockTopics(ctx.db, projectId);
    const before = await lockTopic(ctx.db, projectId, id);
    if (!before) throw topicNotFound();
    const changed = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    const after = {
      ...before,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    };
    if (
      before.key === generalKey &&
      (['default', 'visibility', 'archived'] as const).some((field) => after[field] !== before[field])
    ) {
      throw conflict('Of this topic only the texts and the position can change', {
        suggestion: suggestions.CONFLICT.generalTopic,
      });
    }
    if (before.default === 'OUT' && after.default === 'IN') {
      throw conflict('A topic that contacts have to choose cannot become one that they receive by default', {
        suggestion: suggestions.CONFLICT.topicDefaultOut,
      });
    }
    if (after.archived && !before.archived) await assertTopicNotUsed(ctx.db, before);
    const topic = changed.length === 0 ? before : await changeTopic(ctx.db, after);
    ctx.audit({ targetType: 'topic', targetId: id, changed });
    return presentTopic(ctx.db, topic);
  },
});
