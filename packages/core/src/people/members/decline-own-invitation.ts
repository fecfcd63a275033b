import { command, emptyObject } from '../../base/kernel/index.ts';
import { ownInvitationInput } from './members.schema.ts';
import { markDeclined } from './members.store.ts';
import { noSuchInvitation, requireProvenAddress } from './proven-address.ts';

/** How long the project cannot invite the address again (behaviour B4.19). */
const respectedMs = 30 * 24 * 60 * 60 * 1000;

export const declineOwnInvitation = command({
  name: 'invitations.decline',
  summary: 'Declines an invitation: its project cannot invite the address again for 30 days.',
  permission: 'account',
  risk: 'closed',
  errors: ['EMAIL_VERIFICATION_REQUIRED', 'RESOURCE_NOT_FOUND'],
  input: ownInvitationInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const { email } = await requireProvenAddress(ctx);
    const now = new Date();
    const expiresAt = new Date(now.getTime() + respectedMs);
    const projectId = await markDeclined(ctx.db, { id, email, now, expiresAt });
    if (projectId === null) throw noSuchInvitation();
    ctx.audit({ targetType: 'invitation', targetId: id, projectId });
    return {};
  },
});
