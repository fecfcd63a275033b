import {
  countRecentActivity,
  getActivityStats,
  groupActivity,
  listActivity,
  listActivityTypes,
  listUpcomingActivity,
} from '@postrider/core/insight/activity';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountActivity(door: RestDoor): void {
  mount(door, 'GET', '/activity', listActivity);
  mount(door, 'GET', '/activity/groups', groupActivity);
  mount(door, 'GET', '/activity/stats', getActivityStats);
  mount(door, 'GET', '/activity/recent-count', countRecentActivity);
  mount(door, 'GET', '/activity/types', listActivityTypes);
  mount(door, 'GET', '/activity/upcoming', listUpcomingActivity);
}
