import { emptyObject, query } from '../../base/kernel/index.ts';
import { ownInvitationsOutput } from './members.schema.ts';
import { findInvitationsTo } from './members.store.ts';
import { requireProvenAddress } from './proven-address.ts';

export const listOwnInvitations = query({
  name: 'invitations.listMine',
  summary: 'Lists the open invitations to the address of the signed-in user, oldest first.',
  permission: 'account',
  errors: ['EMAIL_VERIFICATION_REQUIRED'],
  input: emptyObject,
  output: ownInvitationsOutput,
  async handler(ctx) {
    const { email } = await requireProvenAddress(ctx);
    return findInvitationsTo(ctx.db, email);
  },
});
