import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type CoreConfig } from '@postrider/core/base/kernel';
import { readSessionToken } from './session-cookie.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site made with the browser's cookie (behaviour B5.2). Requests with
 * a key are exempt, since no other site can set that header. A request with neither header and no cookie is a script.
 *
 * @throws AppError FORBIDDEN
 */
export function assertSameSite(method: string, headers: IncomingHttpHeaders, config: CoreConfig): void {
  if (safeMethods.has(method) || headers.authorization) return;
  const { origin } = headers;
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite === 'same-origin' || isOurs(origin, config)) return;
  if (origin === undefined && fetchSite === undefined && readSessionToken(headers.cookie) === null) return;
  throw new AppError('FORBIDDEN', 'This request came from another site', {
    suggestion: 'Send it from the dashboard, or with an API key',
  });
}

const isOurs = (origin: string | undefined, { API_URL, DASHBOARD_URL }: CoreConfig): boolean =>
  origin !== undefined && (origin === new URL(API_URL).origin || origin === new URL(DASHBOARD_URL).origin);
