import {
  countRecentActivity,
  getActivityStats,
  groupActivity,
  listActivity,
  listActivityTypes,
  listUpcomingActivity,
} from '@postrider/core/insight/activity';
import { queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

export const ActivityFeed = objectFromZod(listActivity.output);
export const ActivityItem = objectFromZod(listActivity.output.shape.data.element);
const ActivityGroups = objectFromZod(groupActivity.output);
const ActivityStats = objectFromZod(getActivityStats.output);
const RecentActivity = objectFromZod(countRecentActivity.output);
const ActivityTypes = objectFromZod(listActivityTypes.output);
const UpcomingActivity = objectFromZod(listUpcomingActivity.output);

queryField('activity', listActivity, ActivityFeed);
queryField('activityGroups', groupActivity, ActivityGroups);
queryField('activityStats', getActivityStats, ActivityStats);
queryField('recentActivity', countRecentActivity, RecentActivity);
queryField('activityTypes', listActivityTypes, ActivityTypes);
queryField('upcomingActivity', listUpcomingActivity, UpcomingActivity);
