import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';

interface Invited {
  to: Addressee;
  /** null where the name is not for people outside of the project */
  project: string | null;
  /** address of the user who invites */
  inviter: string;
}

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email with the link of an invitation (behaviour B4.19), the same whether or not the address has an account. */
export const invitationMail = (
  { DASHBOARD_URL }: Urls,
  { to, project, inviter }: Invited,
  token: string,
): PlatformMail => ({
  to,
  mail: 'invitation',
  values: { project, inviter },
  url: `${DASHBOARD_URL}/auth/signup?invitation=${token}`,
});
