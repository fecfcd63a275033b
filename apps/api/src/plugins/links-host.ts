import type { CoreConfig } from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors/failure.ts';
import { isUnknown } from './unknown.ts';

type Urls = Pick<CoreConfig, 'API_URL' | 'DASHBOARD_URL' | 'LINKS_URL'>;

/** The routes of tracked links, public pages, confirmations and forms. */
const publicRoute = /^\/[utsf]\//;

/** A `LINKS_URL` with a host of its own serves tracked links and public pages and nothing else (behaviour B1.6). */
export function guardLinksHost(app: FastifyInstance, urls: Urls): void {
  if ([urls.API_URL, urls.DASHBOARD_URL].some((url) => hostOf(url) === hostOf(urls.LINKS_URL))) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const isPublic = publicRoute.test(request.routeOptions.url ?? '') && !isUnknown(request);
    done(isPublic || !isLinksHost(request, urls) ? undefined : unknownRoute());
  });
}

/** The path of the service on the host of this request, for installations behind a path. */
export const basePathOf = (request: FastifyRequest, urls: Urls): string =>
  new URL(isLinksHost(request, urls) ? urls.LINKS_URL : urls.API_URL).pathname.replace(/\/+$/, '');

/** Proxies may name the default port. */
const isLinksHost = ({ host }: FastifyRequest, { LINKS_URL }: Urls): boolean =>
  host.toLowerCase().replace(LINKS_URL.startsWith('https:') ? /:443$/ : /:80$/, '') === hostOf(LINKS_URL);

const hostOf = (url: string): string => new URL(url).host;
