export { countRecentActivity } from './count-recent-activity.ts';
export { getActivityStats } from './get-activity-stats.ts';
export { groupActivity } from './group-activity.ts';
export { listActivity } from './list-activity.ts';
export { listActivityTypes } from './list-activity-types.ts';
export { listTimelines } from './list-timelines.ts';
export { listUpcomingActivity } from './list-upcoming-activity.ts';
export { watchActivity } from './watch-activity.ts';
