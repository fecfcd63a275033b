import type { CoreConfig } from './config.ts';

/** The address of a project's page in the dashboard, for links in emails and at other services. Without `page`, the overview. */
export const projectPage = (
  { DASHBOARD_URL }: Pick<CoreConfig, 'DASHBOARD_URL'>,
  projectId: string,
  page = '',
): string => `${DASHBOARD_URL}/p/${projectId}${page === '' ? '' : `/${page}`}`;
