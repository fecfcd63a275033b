import { AppError, type CommandContext } from '../../base/kernel/index.ts';
import { addressKey, raiseAttempts, tooMany } from '../users/index.ts';

const daySeconds = 24 * 60 * 60;

interface Invitation {
  inviter: { id: string; emailVerified: boolean };
  projectId: string;
  email: string;
}

/** The limits in the order in which they are counted: those of people first, then those of what a person can have many of (behaviour B4.19). */
const limits = [
  { by: 'inviter', most: 50, keyOf: ({ inviter }: Invitation) => `invitations-by:${inviter.id}` },
  { by: 'project', most: 20, keyOf: ({ projectId }: Invitation) => `invitations-of:${projectId}` },
  { by: 'address', most: 3, keyOf: ({ email }: Invitation) => `invitations-to:${addressKey(email)}` },
] as const;

/** The number of invitations, in all, of a person whose address is not proven. */
const mostUnproven = 3;

/**
 * Counts an invitation before it is written. Withdrawing it gives nothing back.
 *
 * @throws AppError EMAIL_VERIFICATION_REQUIRED for the fourth of an inviter whose address is not proven; RATE_LIMIT_EXCEEDED
 */
export async function countInvitation(
  { services: { database, log } }: Pick<CommandContext, 'services'>,
  invitation: Invitation,
): Promise<void> {
  const { inviter } = invitation;
  const refused = (by: string): void =>
    log.warn({ by, userId: inviter.id, projectId: invitation.projectId }, 'invitation limit');
  if (!inviter.emailVerified) {
    const { count } = await raiseAttempts(database, `invitations-unproven:${inviter.id}`, null);
    if (count > mostUnproven) {
      refused('unproven inviter');
      throw new AppError(
        'EMAIL_VERIFICATION_REQUIRED',
        `You can invite ${mostUnproven} people until your email address is verified`,
        { suggestion: 'Open the link in the verification email, or request a new one' },
      );
    }
  }
  for (const { by, most, keyOf } of limits) {
    const window = await raiseAttempts(database, keyOf(invitation), daySeconds);
    if (window.count <= most) continue;
    refused(by);
    throw tooMany(window, messages[by]);
  }
}

const messages = {
  inviter: 'You have sent 50 invitations within a day',
  project: 'This project has sent 20 invitations within a day',
  address: 'This address has been invited 3 times within a day',
} as const;
