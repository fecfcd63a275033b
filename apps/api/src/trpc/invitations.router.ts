import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
} from '@postrider/core/people/members';
import { asMutation, asQuery, t } from './trpc.ts';

export const invitationsRouter = t.router({
  listMine: asQuery(listOwnInvitations),
  accept: asMutation(acceptOwnInvitation),
  decline: asMutation(declineOwnInvitation),
});
