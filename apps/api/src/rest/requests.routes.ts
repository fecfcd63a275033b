import { getRequest, getRequestStats, listRequests } from '@postrider/core/insight/requests';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountRequests(door: RestDoor): void {
  mount(door, 'GET', '/requests', listRequests);
  mount(door, 'GET', '/requests/stats', getRequestStats);
  mount(door, 'GET', '/requests/:id', getRequest);
}
