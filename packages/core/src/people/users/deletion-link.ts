import type { CoreConfig } from '../../base/kernel/config.ts';

/** How long a link to delete an account is valid (behaviour B4.17). */
export const deletionLifetimeMs = 60 * 60 * 1000;

/** The page of the dashboard that takes the token, for the user who is signed in there. */
export const deletionUrl = ({ DASHBOARD_URL }: Pick<CoreConfig, 'DASHBOARD_URL'>, token: string): string =>
  `${DASHBOARD_URL}/account/delete?token=${token}`;
