import type { CoreConfig } from '../../base/kernel/config.ts';

/** How long a link to set a new password is valid (behaviour B4.16). */
export const resetLifetimeMs = 60 * 60 * 1000;

/** The page of the dashboard that takes the token of a reset. */
export const resetUrl = ({ DASHBOARD_URL }: Pick<CoreConfig, 'DASHBOARD_URL'>, token: string): string =>
  `${DASHBOARD_URL}/auth/reset-password?token=${token}`;
