import { assertEnabled, command, conflict, suggestions, userIdOf } from '../../base/kernel/index.ts';
import { newId, selectLanguage } from '../../base/lib/index.ts';
import { requireMembership } from '../projects/index.ts';
import { findUser, findUserByEmail, newMailedToken } from '../users/index.ts';
import { countInvitation } from './invitation-limits.ts';
import { invitationMail } from './member-mail.ts';
import { inviteMemberInput, memberOutput } from './members.schema.ts';
import {
  findProjectTexts,
  findStanding,
  insertInvitation,
  invitedMember,
  lockMembers,
} from './members.store.ts';
import { nameForStrangers } from './project-name.rules.ts';

/** How long an invitation is valid (behaviour B4.16). */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

export const inviteMember = command({
  name: 'members.invite',
  summary: 'Invites an address to a project, by email; whoever it belongs to becomes a member by accepting.',
  permission: 'account',
  risk: 'closed',
  allowDisabled: false,
  errors: [
    'PROJECT_ACCESS_DENIED',
    'FORBIDDEN',
    'PROJECT_DISABLED',
    'EMAIL_VERIFICATION_REQUIRED',
    'CONFLICT',
    'RATE_LIMIT_EXCEEDED',
  ],
  input: inviteMemberInput,
  output: memberOutput,
  async handler(ctx, { id: projectId, email, role = 'MEMBER' }) {
    const { services, db } = ctx;
    assertEnabled((await requireMembership(ctx, projectId, ['OWNER', 'ADMIN'])).project);
    await lockMembers(db, projectId);
    const standing = await findStanding(db, projectId, email);
    if (standing !== 'none') throw refusals[standing](email);
    const inviter = await findUser(db, userIdOf(ctx));
    if (!inviter) throw new Error('the account of the session is gone');
    await countInvitation(ctx, { inviter, projectId, email });
    const { token, hash } = newMailedToken();
    const invitation = await insertInvitation(db, {
      ...{ id: newId(), projectId, email, role, tokenHash: hash, invitedById: inviter.id },
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    // Whether the address has an account is asked in any case, so that the answer takes the same time.
    const [project, account] = [await findProjectTexts(db, projectId), await findUserByEmail(db, email)];
    const language = account?.emailVerified
      ? account.language
      : selectLanguage(project.language, inviter.language);
    const named = { project: nameForStrangers(project.name), inviter: inviter.email };
    await services.platformMail.write(
      db,
      invitationMail(services.config, { to: { email, language }, ...named }, token),
    );
    ctx.afterCommit(() => services.platformMail.notify());
    ctx.audit({ targetType: 'invitation', targetId: invitation.id, projectId });
    return invitedMember(invitation);
  },
});

const refusals = {
  member: (email: string) =>
    conflict(`${email} is already a member of this project`, { suggestion: suggestions.CONFLICT.isMember }),
  invited: (email: string) =>
    conflict(`${email} has already been invited to this project`, {
      suggestion: suggestions.CONFLICT.isInvited,
    }),
  declined: (email: string) =>
    conflict(`${email} has declined an invitation to this project`, {
      suggestion: suggestions.CONFLICT.hasDeclined,
    }),
};
