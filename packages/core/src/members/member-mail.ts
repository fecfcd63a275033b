import type { CoreConfig } from '../kernel/config.ts';
import type { Addressee, PlatformMail } from '../kernel/ports/platform-mailer.ts';

interface Invited {
  to: Addressee;
  project: string;
}

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email with the link of an invitation (behaviour B4.19). */
export const invitationMail = (
  { DASHBOARD_URL }: Urls,
  { to, project }: Invited,
  token: string,
): PlatformMail => ({
  to,
  mail: 'invitation',
  values: { project },
  url: `${DASHBOARD_URL}/auth/signup?invitation=${token}`,
});

/** The notice to a user with an account who has been added to a project. */
export const addedMail = ({ DASHBOARD_URL }: Urls, { to, project }: Invited): PlatformMail => ({
  to,
  mail: 'addedToProject',
  values: { project },
  url: DASHBOARD_URL,
});
