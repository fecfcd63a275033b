import {
  countRecentActivity,
  getActivityStats,
  listActivity,
  listActivityTypes,
  listUpcomingActivity,
} from '@postrider/core/insight/activity';
import { queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

export const ActivityFeed = objectFromZod(listActivity.output);
export const ActivityItem = objectFromZod(listActivity.output.shape.data.element);
const ActivityStats = objectFromZod(getActivityStats.output);
const RecentActivity = objectFromZod(countRecentActivity.output);
const ActivityTypes = objectFromZod(listActivityTypes.output);
const UpcomingActivity = objectFromZod(listUpcomingActivity.output);

queryField('activity', listActivity, ActivityFeed);
queryField('activityStats', getActivityStats, ActivityStats);
queryField('recentActivity', countRecentActivity, RecentActivity);
queryField('activityTypes', listActivityTypes, ActivityTypes);
queryField('upcomingActivity', listUpcomingActivity, UpcomingActivity);
