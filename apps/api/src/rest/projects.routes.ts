import { getSetupState } from '@postrider/core/insight/analytics';
import { deleteProject, resetProject } from '@postrider/core/insight/removal';
import { createKey, deleteKey, listKeys } from '@postrider/core/people/keys';
import {
  createProject,
  getProject,
  listProjects,
  regenerateKeys,
  regenerateWebhookSecret,
  updateProject,
} from '@postrider/core/people/projects';
import { getSecurity } from '@postrider/core/people/reputation';
import { getStorage } from '@postrider/core/people/storage';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountProjects(door: RestDoor): void {
  const path = '/users/@me/projects';
  mount(door, 'GET', path, listProjects);
  mount(door, 'POST', path, createProject, { status: 201 });
  mount(door, 'GET', `${path}/:id`, getProject, { project: 'id' });
  mount(door, 'PATCH', `${path}/:id`, updateProject, { project: 'id', permission: 'project:settings' });
  mount(door, 'POST', `${path}/:id/regenerate-keys`, regenerateKeys, {
    project: 'id',
    permission: 'project:settings',
  });
  mount(door, 'POST', `${path}/:id/regenerate-webhook-secret`, regenerateWebhookSecret, {
    project: 'id',
    permission: 'project:settings',
  });
  const ofLeaders = { project: 'id', permission: 'project:settings' } as const;
  mount(door, 'POST', `${path}/:id/reset`, resetProject, { ...ofLeaders, status: 202 });
  mount(door, 'DELETE', `${path}/:id`, deleteProject, { ...ofLeaders, status: 204 });
  mount(door, 'GET', `${path}/:id/keys`, listKeys, ofLeaders);
  mount(door, 'POST', `${path}/:id/keys`, createKey, { ...ofLeaders, status: 201 });
  mount(door, 'DELETE', `${path}/:id/keys/:keyId`, deleteKey, { ...ofLeaders, status: 204 });
  mount(door, 'GET', '/projects/:id/setup-state', getSetupState, { project: 'id' });
  mount(door, 'GET', '/projects/:id/storage', getStorage, { project: 'id' });
  mount(door, 'GET', '/projects/:id/security', getSecurity, { project: 'id' });
  mount(door, 'GET', `${path}/:id/security`, getSecurity, {
    project: 'id',
    name: 'users.security',
    permission: 'account',
  });
}
