import { cursorsOf, projectIdOf, query } from '../kernel/index.ts';
import { activityFeed, activityInput } from './activity.schema.ts';
import { findFeed } from './feed.store.ts';
import { monthBefore } from './month-before.ts';
import { presentItem } from './present-item.ts';

export const listActivity = query({
  name: 'activity.list',
  summary: 'Lists what happened in the project, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: activityInput,
  output: activityFeed,
  async handler(ctx, input) {
    const { limit, types, contactId, startDate, endDate } = input;
    const cursors = cursorsOf('activity.list', input);
    const after = cursors.after();
    const isOpen = !startDate && !endDate && !after;
    const search = {
      projectId: projectIdOf(ctx),
      types: types && [...new Set(types)],
      contactId,
      from: isOpen ? monthBefore(new Date()) : startDate,
      to: endDate,
    };
    const rows = await findFeed(ctx.db, search, { after, take: limit + 1 });
    const { data, cursor, hasMore } = cursors.page(rows, ({ createdAt }) => createdAt, 0);
    return { data: data.map(presentItem), cursor, hasMore };
  },
});
