import { changeMember, inviteMember, listMembers, removeMember } from '@postrider/core/people/members';
import { asMutation, asQuery, t } from './trpc.ts';

export const membersRouter = t.router({
  list: asQuery(listMembers),
  invite: asMutation(inviteMember),
  change: asMutation(changeMember),
  remove: asMutation(removeMember),
});
