import type { z } from 'zod';
import type { Context } from '../../base/kernel/index.ts';
import { openStream, topics } from '../../base/live/index.ts';
import type { activityFeed } from './activity.schema.ts';
import { listActivity } from './list-activity.ts';

type Item = z.output<typeof activityFeed>['data'][number];

/** Items of one look; when more happened since the last one, the feed has the others. */
const mostAtOnce = 100;

/** How far back a lost connection can be resumed, in looks. */
const mostMissed = 10;

interface Watching {
  types?: string | null | undefined;
  contactId?: string | null | undefined;
  /** id of the last item received before the connection was lost */
  after?: string | null | undefined;
}

/**
 * Each item of the feed as it happens, oldest first, beginning with the call; with `after`, beginning with the items that followed that
 * one, at most the newest 1,000. Under a load of more than some hundred items per second the older ones of a moment are left out: the
 * feed itself is complete.
 *
 * @throws AppError as `listActivity` and `openStream` do
 */
export async function watchActivity(
  ctx: Context,
  { after, ...filter }: Watching,
): Promise<AsyncIterableIterator<Item>> {
  const look = (cursor?: string | null) => listActivity.runRaw(ctx, { ...filter, limit: mostAtOnce, cursor });
  const read = async () => (await look()).data;
  let seen = new Set((await read()).map(({ id }) => id));
  const missed = after ? await since(look, after) : [];
  for (const { id } of missed) seen.add(id);
  return openStream(ctx, [topics.activity], async function* looks(watch) {
    let before = missed;
    // The first look finds what happened between the call and the beginning of the watch.
    do {
      const recent = await read();
      const fresh = recent.filter(({ id }) => !seen.has(id));
      seen = new Set(recent.map(({ id }) => id));
      yield [...before, ...fresh.reverse()];
      before = [];
    } while (await watch.next());
  });
}

/** The items that followed the one with this id, oldest first. */
async function since(
  look: (cursor?: string | null) => Promise<{ data: Item[]; cursor: string | null }>,
  lastId: string,
): Promise<Item[]> {
  const newer: Item[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostMissed; page += 1) {
    const { data, cursor: next } = await look(cursor);
    const end = data.findIndex(({ id }) => id === lastId);
    newer.push(...(end < 0 ? data : data.slice(0, end)));
    if (end >= 0 || next === null) break;
    cursor = next;
  }
  return newer.reverse();
}
