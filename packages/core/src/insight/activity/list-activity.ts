import { type ContactReference, findContactsByText } from '../../audience/contacts/index.ts';
import { findEventNames } from '../../audience/events/index.ts';
import type { FeedType } from '../../base/event-types/event-types.rules.ts';
import {
  type Context,
  cursorsOf,
  type Keyset,
  type ProjectState,
  projectOf,
  query,
} from '../../base/kernel/index.ts';
import type { PeriodBound } from '../../base/lib/index.ts';
import { activityFeed, activityInput } from './activity.schema.ts';
import { activityPeriod } from './activity-period.ts';
import { type FeedRow, findFeed, findFeedOf } from './feed.store.ts';
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

/** People and names of events that a text is looked for in. */
const most = { contacts: 200, eventNames: 20 };

/** One row more than the limit of a request for the feed. */
export async function readFeedPage(
  ctx: Context,
  {
    limit,
    contactId,
    text,
    ...input
  }: FeedInput & { limit: number; contactId?: ContactReference | undefined; text?: string | undefined },
  after: Keyset | null,
): Promise<FeedRow[]> {
  const search = { contactId, ...feedSearchOf(projectOf(ctx), input, after) };
  const page = { after, take: limit + 1 };
  if (!text) return findFeed(ctx.db, search, page);
  const { projectId } = search;
  const [contactIds, eventNames] = await Promise.all([
    ctx.services.database.prisma.$transaction(
      (db) => findContactsByText(db, projectId, text, most.contacts),
      { timeout: 30_000 },
    ),
    findEventNames(ctx.db, projectId, text, most.eventNames),
  ]);
  return findFeedOf(ctx.db, { ...search, contactIds, eventNames }, page);
}

export const listActivity = query({
  name: 'activity.list',
  summary: 'Lists what happened in the project, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: activityInput,
  output: activityFeed,
  async handler(ctx, input) {
    const cursors = cursorsOf('activity.list', input);
    const rows = await readFeedPage(ctx, input, cursors.after());
    const { data, cursor, hasMore } = cursors.page(rows, ({ createdAt }) => createdAt, 0);
    return { data: data.map(presentItem), cursor, hasMore };
  },
});
