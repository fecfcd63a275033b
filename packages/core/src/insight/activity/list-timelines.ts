import { cursorsOf, projectOf, query } from '../../base/kernel/index.ts';
import { timelines, timelinesInput } from './activity.schema.ts';
import { findTimelines } from './feed.store.ts';
import { feedSearchOf } from './list-activity.ts';
import { presentItem } from './present-item.ts';

/** The activity of several contacts; GraphQL's nested lists use it. */
export const listTimelines = query({
  name: 'activity.timelines',
  summary: 'Lists what happened to each contact, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: timelinesInput,
  output: timelines,
  async handler(ctx, { ids, ...input }) {
    const cursors = cursorsOf('activity.timelines', input);
    const after = cursors.after();
    const search = { contactIds: ids, ...feedSearchOf(projectOf(ctx), input, after) };
    const rows = await findTimelines(ctx.db, search, { after, take: input.limit + 1 });
    const byContact = Map.groupBy(rows, ({ contactId }) => contactId);
    return ids.map((id) => {
      const page = cursors.page(byContact.get(id) ?? [], ({ createdAt }) => createdAt, 0);
      const { cursor, hasMore } = page;
      return { id, timeline: { data: page.data.map(presentItem), cursor, hasMore } };
    });
  },
});
