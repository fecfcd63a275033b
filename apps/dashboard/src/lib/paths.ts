/**
 * Paths of pages. The pages of a project are under `/p/`, because the API uses `/contacts`, `/campaigns/…` on the
 * same host. The project is part of the path, so that a link shows every user the same page.
 */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  newProject: '/new-project',
  account: '/account',
  project: (projectId: string, page = '') => `/p/${projectId}${page === '' ? '' : `/${page}`}`,
} as const;

/** Where to go after login. Only paths of the dashboard, to prevent open redirects. */
export const safeNext = (next: string | null): string =>
  next && /^\/(?![/\\])/.test(next) ? next : paths.home;

export const loginPath = (from: string): string =>
  from === paths.home ? paths.login : `${paths.login}?next=${encodeURIComponent(from)}`;
