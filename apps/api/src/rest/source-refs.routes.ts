import { listSourceRefs, removeSourceRef, setSourceRef } from '@postrider/core/content/source-refs';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountSourceRefs(door: RestDoor): void {
  mount(door, 'GET', '/source-refs', listSourceRefs);
  mount(door, 'PUT', '/source-refs', setSourceRef);
  mount(door, 'DELETE', '/source-refs', removeSourceRef, { status: 204, from: 'body' });
}
