import { z } from 'zod';
import { role } from '../../base/kernel/enums.ts';
import { addressText, emailAddress, isoDate, notGiven, recordId, uuid } from '../../base/kernel/fields.ts';
import { namedEnum, typeNames } from '../../base/kernel/type-names.ts';

/** A role that can be given to a member; a project has exactly one OWNER (behaviour B5.4). */
const assignableRole = namedEnum('AssignableRole', ['ADMIN', 'MEMBER']);

const projectId = uuid.describe('Id of the project');

/** A member of a project, or an invitation (behaviour B2.11). */
export const memberOutput = z.object({
  userId: z.uuid().nullable().describe('Id of the user; null for an invitation'),
  invitationId: z.uuid().nullable().describe('Id of the invitation; null for an active member'),
  email: addressText.describe('Email address of the member'),
  role: role.describe('Role in the project'),
  status: namedEnum('MemberStatus', ['ACTIVE', 'PENDING', 'DECLINED']).describe(
    '`PENDING` until the invitation is accepted; `DECLINED` for 30 days after it was declined',
  ),
  createdAt: isoDate.describe('When the member joined or was invited'),
});

export type Member = z.input<typeof memberOutput>;

export const listMembersInput = z.object({ id: projectId });
export const membersOutput = z.array(memberOutput);

export const inviteMemberInput = z.object({
  id: projectId,
  email: emailAddress.describe('Address to invite'),
  role: notGiven(assignableRole).describe('Role of the new member; default `MEMBER`'),
});

const memberId = uuid.describe('Id of the user, or of a pending invitation');

export const changeMemberInput = z.object({
  id: projectId,
  userId: memberId,
  role: assignableRole.describe('The new role'),
});
export const removeMemberInput = z.object({ id: projectId, userId: memberId });

export const invitationTokenInput = z.object({
  token: z.string().meta({
    description: 'The token of the invitation link',
    examples: ['9f86d081884c7d65'],
  }),
});
export const invitationOutput = z.object({
  email: addressText.describe('The invited address'),
  role: role.describe('Role that the invitation gives'),
  projectName: z.string().meta({ description: 'Name of the project', examples: ['Example Shop'] }),
  hasAccount: z.boolean().describe('Whether the address has an account already'),
});

/** An invitation as the invited person sees it. */
const ownInvitation = z
  .object({
    id: recordId.describe('Id of the invitation'),
    projectName: z.string().meta({ description: 'Name of the project', examples: ['Example Shop'] }),
    role: role.describe('Role that the invitation gives'),
    invitedBy: addressText
      .nullable()
      .describe('Address of the user who invites; null if the account is gone'),
    expiresAt: isoDate.describe('Until when it can be accepted'),
  })
  .register(typeNames, { name: 'OwnInvitation' });

export const ownInvitationsOutput = z.array(ownInvitation);

export const ownInvitationInput = z.object({ id: uuid.describe('Id of the invitation') });
