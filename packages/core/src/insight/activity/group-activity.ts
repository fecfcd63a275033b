import { feedTypeOf } from '../../base/event-types/event-types.rules.ts';
import { cursorsOf, projectOf, query } from '../../base/kernel/index.ts';
import { clockOf } from '../../base/lib/index.ts';
import { activityGroups, activityGroupsInput } from './activity.schema.ts';
import type { FeedRow } from './feed.store.ts';
import { groupsOf } from './groups.rules.ts';
import { readFeedPage } from './list-activity.ts';
import { presentItem } from './present-item.ts';

export const groupActivity = query({
  name: 'activity.groups',
  summary: 'Groups what happened in the project by day, type and source, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: activityGroupsInput,
  output: activityGroups,
  async handler(ctx, input) {
    const { dayAt } = clockOf(projectOf(ctx).timeZone);
    const cursors = cursorsOf('activity.groups', input);
    const rows = await readFeedPage(ctx, input, cursors.after());
    const { data, cursor, hasMore } = cursors.page(rows, ({ createdAt }) => createdAt, 0);
    const groups = groupsOf(data, (row) => ({
      type: feedTypeOf(row),
      day: dayAt(row.createdAt.getTime()),
      at: row.createdAt,
      source: sourceOf(row),
    }));
    return { data: groups.map((group) => ({ ...group, item: presentItem(group.item) })), cursor, hasMore };
  },
});

/** What an item comes from: a campaign, a workflow, the email that was sent to others as well, an event by its name, or a reason. */
function sourceOf({ name, data, email }: FeedRow): string {
  if (email) return email.campaignId ?? email.workflowId ?? email.text;
  const { campaignId, workflowId, reason } = data ?? {};
  if (name.startsWith('contact.')) return String(reason ?? '');
  const id = campaignId ?? workflowId;
  return typeof id === 'string' ? id : name;
}
