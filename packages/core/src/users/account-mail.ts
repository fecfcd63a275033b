import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';
import { resetUrl } from './reset-link.ts';

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email with the link that proves an address (behaviour B4.16). */
export const verificationMail = ({ DASHBOARD_URL }: Urls, to: string, token: string): PlatformMail => ({
  to,
  subject: 'Verify your email address',
  paragraphs: ['Confirm that this is your email address to finish setting up your Postrider account.'],
  action: { label: 'Verify email address', url: `${DASHBOARD_URL}/auth/verify-email?token=${token}` },
  note: 'The link is valid for 24 hours. If you did not sign up, you can ignore this email.',
});

/** The email with the link to set a new password (behaviour B4.16). */
export const passwordResetMail = (urls: Urls, to: string, token: string): PlatformMail => ({
  to,
  subject: 'Reset your password',
  paragraphs: ['A new password was requested for your Postrider account.'],
  action: { label: 'Set a new password', url: resetUrl(urls, token) },
  note: 'The link is valid for one hour. If you did not request it, ignore this email; your password stays the same.',
});
