import type { FeedType } from '../../base/event-types/event-types.rules.ts';
import { cursorsOf, type Keyset, type ProjectState, projectOf, query } from '../../base/kernel/index.ts';
import type { PeriodBound } from '../../base/lib/index.ts';
import { activityFeed, activityInput } from './activity.schema.ts';
import { activityPeriod } from './activity-period.ts';
import { findFeed } from './feed.store.ts';
import { monthBefore } from './month-before.ts';
import { presentItem } from './present-item.ts';

interface FeedInput {
  types?: FeedType[] | undefined;
  startDate?: PeriodBound | undefined;
  endDate?: PeriodBound | undefined;
}

/** What a request for the feed reads. Without a period it is the last 30 days; later pages have no limit of their own. */
export const feedSearchOf = (
  { id: projectId, timeZone }: ProjectState,
  { types, startDate, endDate }: FeedInput,
  after: Keyset | null,
) => {
  const { from, to } = activityPeriod({ startDate, endDate }, timeZone);
  return {
    projectId,
    types: types && [...new Set(types)],
    from: !from && !to && !after ? monthBefore(new Date()) : from,
    to,
  };
};

export const listActivity = query({
  name: 'activity.list',
  summary: 'Lists what happened in the project, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: activityInput,
  output: activityFeed,
  async handler(ctx, input) {
    const { limit, contactId } = input;
    const cursors = cursorsOf('activity.list', input);
    const after = cursors.after();
    const search = { contactId, ...feedSearchOf(projectOf(ctx), input, after) };
    const rows = await findFeed(ctx.db, search, { after, take: limit + 1 });
    const { data, cursor, hasMore } = cursors.page(rows, ({ createdAt }) => createdAt, 0);
    return { data: data.map(presentItem), cursor, hasMore };
  },
});
