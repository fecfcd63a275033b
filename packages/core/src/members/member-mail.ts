import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';

interface Invited {
  to: string;
  projectName: string;
}

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email with the link of an invitation (behaviour B4.19). */
export const invitationMail = (
  { DASHBOARD_URL }: Urls,
  { to, projectName }: Invited,
  token: string,
): PlatformMail => ({
  to,
  subject: `You are invited to ${projectName}`,
  paragraphs: [`You have been invited to work on the project ${projectName} in Postrider.`],
  action: { label: 'Accept the invitation', url: `${DASHBOARD_URL}/auth/signup?invitation=${token}` },
  note: 'The invitation is valid for 7 days and only for this email address.',
});

/** The notice to a user with an account who has been added to a project. */
export const addedMail = ({ DASHBOARD_URL }: Urls, { to, projectName }: Invited): PlatformMail => ({
  to,
  subject: `You have been added to ${projectName}`,
  paragraphs: [`You are now a member of the project ${projectName} in Postrider.`],
  action: { label: 'Open the dashboard', url: DASHBOARD_URL },
});
