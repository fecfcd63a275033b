import { type Context, projectIdOf } from '../kernel/index.ts';
import { closing } from './follow.ts';
import { type ListTopic, listTopics } from './list-topics.rules.ts';

const isListTopic = (topic: string): topic is ListTopic => listTopics.some((known) => known === topic);

/**
 * The topics in which something has changed since they were last given, as it happens: what is shown of them should be read again.
 * Begins with all of them, because what was read before may be older.
 *
 * @throws AppError as `Live.watch` does
 */
export async function watchLists(ctx: Context): Promise<AsyncIterableIterator<ListTopic[]>> {
  const watch = await ctx.services.live.watch(projectIdOf(ctx), ...listTopics);
  async function* changes(): AsyncGenerator<ListTopic[]> {
    try {
      yield [...listTopics];
      while (await watch.next()) {
        const topics = watch.changes.filter(isListTopic);
        if (topics.length > 0) yield topics;
      }
    } finally {
      watch.close();
    }
  }
  return closing(changes(), () => watch.close());
}
