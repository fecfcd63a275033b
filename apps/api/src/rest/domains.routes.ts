import {
  createDomain,
  deleteDomain,
  getDomainHealth,
  listDomainNotes,
  listDomains,
  verifyDomain,
} from '@postrider/core/people/domains';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountDomains(door: RestDoor): void {
  mount(door, 'GET', '/domains/project/:projectId', listDomains, { project: 'projectId' });
  mount(door, 'POST', '/domains', createDomain, { status: 201 });
  mount(door, 'GET', '/domains/:id/verify', verifyDomain);
  mount(door, 'GET', '/domains/:id/health', getDomainHealth);
  mount(door, 'GET', '/domains/:id/notes', listDomainNotes);
  mount(door, 'DELETE', '/domains/:id', deleteDomain, { status: 204 });
}
