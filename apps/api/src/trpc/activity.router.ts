import {
  countRecentActivity,
  getActivityStats,
  groupActivity,
  listActivity,
  listActivityTypes,
  listUpcomingActivity,
} from '@postrider/core/insight/activity';
import { asQuery, t } from './trpc.ts';

export const activityRouter = t.router({
  list: asQuery(listActivity),
  groups: asQuery(groupActivity),
  stats: asQuery(getActivityStats),
  recentCount: asQuery(countRecentActivity),
  types: asQuery(listActivityTypes),
  upcoming: asQuery(listUpcomingActivity),
});
