import { projectIdOf, query } from '../kernel/index.ts';
import { recentActivity, recentActivityInput } from './activity.schema.ts';
import { countFeed } from './feed.store.ts';

export const countRecentActivity = query({
  name: 'activity.recentCount',
  summary: 'Counts what happened in the last minutes',
  permission: 'data:read',
  input: recentActivityInput,
  output: recentActivity,
  async handler(ctx, { minutes }) {
    const from = new Date(Date.now() - minutes * 60_000);
    return { count: await countFeed(ctx.db, { projectId: projectIdOf(ctx), from }) };
  },
});
