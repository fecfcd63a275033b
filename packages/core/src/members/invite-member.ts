import {
  type Addressee,
  type CommandContext,
  command,
  conflict,
  newId,
  selectLanguage,
  userIdOf,
} from '../kernel/index.ts';
import { requireMembership } from '../projects/index.ts';
import { findUser, newMailedToken } from '../users/index.ts';
import { addedMail, invitationMail } from './member-mail.ts';
import { inviteMemberInput, type Member, memberOutput } from './members.schema.ts';
import {
  activeMember,
  findProjectTexts,
  findProvenAccount,
  insertInvitation,
  insertMember,
  isMemberOrInvited,
  lockMembers,
  pendingMember,
} from './members.store.ts';

/** How long an invitation is valid (behaviour B4.16). */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

export const inviteMember = command({
  name: 'members.invite',
  summary: 'Adds a user with a verified account to a project, or invites the address by email.',
  permission: 'account',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'CONFLICT'],
  input: inviteMemberInput,
  output: memberOutput,
  async handler(ctx, { id: projectId, email, role = 'MEMBER' }) {
    await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
    await lockMembers(ctx.db, projectId);
    if (await isMemberOrInvited(ctx.db, projectId, email)) {
      throw conflict(`${email} is already a member of this project or has been invited`, {
        suggestion: 'Delete the pending invitation to send a new one',
      });
    }
    const invited = { projectId, email, role };
    const account = await findProvenAccount(ctx.db, email);
    const member = account ? await join(ctx, invited, account) : await invite(ctx, invited);
    ctx.afterCommit(() => ctx.services.platformMail.notify());
    ctx.audit({
      targetType: account ? 'member' : 'invitation',
      targetId: member.userId ?? member.invitationId ?? projectId,
      projectId,
    });
    return member;
  },
});

interface Invited {
  projectId: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
}

async function join(
  { services, db }: CommandContext,
  { projectId, role }: Invited,
  { id: userId, ...to }: { id: string } & Addressee,
): Promise<Member> {
  const member = await insertMember(db, projectId, userId, role);
  const project = await findProjectTexts(db, projectId);
  await services.platformMail.write(db, addedMail(services.config, { to, project: project.name }));
  return activeMember(member, to.email);
}

async function invite(ctx: CommandContext, { projectId, email, role }: Invited): Promise<Member> {
  const { services, db } = ctx;
  const { token, hash } = newMailedToken();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const id = newId();
  const invitation = await insertInvitation(db, { id, projectId, email, role, tokenHash: hash, expiresAt });
  const project = await findProjectTexts(db, projectId);
  const inviter = await findUser(db, userIdOf(ctx));
  const to = { email, language: selectLanguage(project.language, inviter?.language) };
  const mail = invitationMail(services.config, { to, project: project.name }, token);
  await services.platformMail.write(db, mail);
  return pendingMember(invitation);
}
