import { listAudit } from '@postrider/core/people/audit';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountAudit(door: RestDoor): void {
  mount(door, 'GET', '/audit', listAudit);
}
