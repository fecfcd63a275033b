import type { z } from 'zod';
import { type Context, projectIdOf } from '../kernel/index.ts';
import { closing, topics } from '../live/index.ts';
import type { activityFeed } from './activity.schema.ts';
import { listActivity } from './list-activity.ts';

type Item = z.output<typeof activityFeed>['data'][number];

/** Items of one look; when more happened since the last one, the feed has the others. */
const mostAtOnce = 100;

/**
 * Each item of the feed as it happens, oldest first, beginning with the call. Under a load of more than some hundred items per second
 * the older ones of a moment are left out: the feed itself is complete.
 *
 * @throws AppError as `listActivity` and `Live.watch` do
 */
export async function watchActivity(
  ctx: Context,
  filter: { types?: string | null | undefined; contactId?: string | null | undefined },
): Promise<AsyncIterableIterator<Item>> {
  const read = async () => (await listActivity.runRaw(ctx, { ...filter, limit: mostAtOnce })).data;
  const watch = await ctx.services.live.watch(projectIdOf(ctx), topics.activity);
  const close = (): void => watch.close();
  let seen: Set<string>;
  try {
    seen = new Set((await read()).map(({ id }) => id));
  } catch (error) {
    close();
    throw error;
  }
  async function* items(): AsyncGenerator<Item> {
    try {
      while (await watch.next()) {
        const recent = await read();
        const fresh = recent.filter(({ id }) => !seen.has(id));
        seen = new Set(recent.map(({ id }) => id));
        yield* fresh.reverse();
      }
    } finally {
      watch.close();
    }
  }
  return closing(items(), close);
}
