import type { Context } from '../kernel/index.ts';
import { type ListTopic, listTopics } from './list-topics.rules.ts';
import { openStream } from './stream.ts';

const isListTopic = (topic: string): topic is ListTopic => listTopics.some((known) => known === topic);

/**
 * The topics in which something has changed since they were last given, as it happens: what is shown of them should be read again.
 * Begins with all of them, because what was read before may be older.
 *
 * @throws AppError as `openStream` does
 */
export const watchLists = (ctx: Context): Promise<AsyncIterableIterator<ListTopic[]>> =>
  openStream(ctx, listTopics, async function* looks(watch) {
    yield [[...listTopics]];
    while (await watch.next()) {
      const topics = watch.changes.filter(isListTopic);
      if (topics.length > 0) yield [topics];
    }
  });
