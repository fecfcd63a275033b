import {
  deleteEvents,
  getEventStats,
  getEventUsage,
  isTrackForm,
  listContactEvents,
  listEventNames,
  listEvents,
  recordEvent,
  trackEvent,
} from '@postrider/core/audience/events';
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mount } from './mount.ts';

const nameless = missing('name');

export function mountEvents(door: RestDoor): void {
  mount(door, 'POST', '/v1/track', trackEvent, { envelope: true, idempotent: true });
  mount(door, 'POST', '/events/track', recordEvent, {
    status: 201,
    idempotent: isTrackForm,
    flat: (body) => (isTrackForm(body) ? null : nameless(body)),
  });
  mount(door, 'GET', '/events', listEvents);
  mount(door, 'GET', '/events/stats', getEventStats);
  mount(door, 'GET', '/events/names', listEventNames);
  mount(door, 'GET', '/events/contact/:contactId', listContactEvents);
  mount(door, 'GET', '/events/:eventName/usage', getEventUsage);
  mount(door, 'DELETE', '/events/:eventName', deleteEvents);
}
