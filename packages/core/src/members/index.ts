export { acceptInvitation } from './accept-invitation.ts';
export { changeMember } from './change-member.ts';
export { getInvitation } from './get-invitation.ts';
export { inviteMember } from './invite-member.ts';
export { listMembers } from './list-members.ts';
export { removeMember } from './remove-member.ts';
