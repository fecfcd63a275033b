import {
  acceptInvitation,
  acceptOwnInvitation,
  changeMember,
  declineOwnInvitation,
  getInvitation,
  inviteMember,
  listMembers,
  listOwnInvitations,
  removeMember,
} from '@postrider/core/people/members';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountMembers(door: RestDoor): void {
  const path = '/projects/:id/members';
  const byLeaders = { project: 'id', permission: 'members:write' } as const;
  mount(door, 'GET', path, listMembers, { project: 'id' });
  mount(door, 'POST', path, inviteMember, { ...byLeaders, status: 201 });
  mount(door, 'PATCH', `${path}/:userId`, changeMember, byLeaders);
  mount(door, 'DELETE', `${path}/:userId`, removeMember, { ...byLeaders, status: 204 });
  mount(door, 'GET', '/auth/invitations/:token', getInvitation);
  mount(door, 'POST', '/auth/invitations/accept', acceptInvitation);
  const own = '/users/@me/invitations';
  mount(door, 'GET', own, listOwnInvitations);
  mount(door, 'POST', `${own}/:id/accept`, acceptOwnInvitation);
  mount(door, 'DELETE', `${own}/:id`, declineOwnInvitation, { status: 204 });
}
