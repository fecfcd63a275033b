/**
 * Addresses of pages. Everything of a project lies under `/p/`, because the API's own paths (`/contacts`, `/campaigns/…`)
 * belong to the REST door. The project stands in the address so that a link shows everybody the same thing.
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

/** Where to go after signing in. Only our own paths: a link must not be able to send people elsewhere. */
export const safeNext = (next: string | null): string =>
  next && /^\/(?![/\\])/.test(next) ? next : paths.home;

export const loginPath = (from: string): string =>
  from === paths.home ? paths.login : `${paths.login}?next=${encodeURIComponent(from)}`;
