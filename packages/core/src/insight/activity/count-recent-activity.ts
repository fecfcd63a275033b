import { cachedTotal } from '../../base/figures/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { recentActivity, recentActivityInput } from './activity.schema.ts';
import { countFeed } from './feed.store.ts';

export const countRecentActivity = query({
  name: 'activity.recentCount',
  summary: 'Counts what happened in the last minutes',
  permission: 'data:read',
  input: recentActivityInput,
  output: recentActivity,
  async handler(ctx, { minutes }) {
    const projectId = projectIdOf(ctx);
    const from = new Date(Date.now() - minutes * 60_000);
    const count = await cachedTotal(ctx.db, { projectId, key: `activity.recent.${minutes}` }, () =>
      countFeed(ctx.db, { projectId, from }),
    );
    return { count };
  },
});
