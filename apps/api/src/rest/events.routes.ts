import { trackEvent } from '@postrider/core/events';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountEvents(door: RestDoor): void {
  mount(door, 'POST', '/v1/track', trackEvent, { envelope: true, idempotent: true });
}
