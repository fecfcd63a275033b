import { findTopicByKey, unknownTopicError } from '../../audience/topics/index.ts';
import type { Database } from '../../base/db/index.ts';
import { type Context, projectOf } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';

/** A process uses the id of a topic for this long, in milliseconds. The statement that stores a send looks again whether the topic can be named. */
const keptMs = 2_000;
const mostKept = 10_000;

interface Kept {
  readAt: number;
  id: string;
}

const keptBy = new WeakMap<Database, RecentMap<string, Kept>>();

/**
 * The id of the topic that a send names.
 *
 * @throws AppError VALIDATION_ERROR `unknown_topic` at `topic`
 */
export async function idOfNamedTopic(ctx: Context, key: string): Promise<string> {
  const { database } = ctx.services;
  const { id: projectId } = projectOf(ctx);
  const kept = keptBy.get(database) ?? new RecentMap<string, Kept>(mostKept);
  keptBy.set(database, kept);
  const name = `${projectId}/${key}`;
  const now = performance.now();
  const known = kept.get(name);
  if (known && now - known.readAt < keptMs) return known.id;
  const topic = await findTopicByKey(ctx.db, projectId, key);
  if (!topic) throw unknownTopicError('topic', key);
  // What a transaction has changed may be undone.
  if (ctx.db === database.prisma) kept.set(name, { readAt: now, id: topic.id });
  return topic.id;
}
