import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { deletionUrl } from './deletion-link.ts';
import { resetUrl } from './reset-link.ts';

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email with the link that proves an address (behaviour B4.16). */
export const verificationMail = ({ DASHBOARD_URL }: Urls, to: Addressee, token: string): PlatformMail => ({
  to,
  mail: 'verification',
  values: {},
  url: `${DASHBOARD_URL}/auth/verify-email?token=${token}`,
});

/** The email with the link to set a new password (behaviour B4.16). */
export const passwordResetMail = (urls: Urls, to: Addressee, token: string): PlatformMail => ({
  to,
  mail: 'passwordReset',
  values: {},
  url: resetUrl(urls, token),
});

/** The email with the link to delete an account that has no password (behaviour B4.17). */
export const accountDeletionMail = (urls: Urls, to: Addressee, token: string): PlatformMail => ({
  to,
  mail: 'accountDeletion',
  values: {},
  url: deletionUrl(urls, token),
});
