import { ProviderError, signInProviderNames } from '@postrider/core/base/kernel';
import {
  finishProviderSignIn,
  SignInRefusal,
  type SignInRefusalReason,
  startedSignInCookie,
  startedSignInSeconds,
  startProviderSignIn,
} from '@postrider/core/people/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCookie, scopedCookie } from '../access/cookies.ts';
import { openSession } from '../access/start-session.ts';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const provider = z.enum(signInProviderNames).describe('Name of the provider.');
const startQuery = z.object({
  provider,
  invitation: z
    .string()
    .optional()
    .meta({ description: 'Token of an invitation to accept.', examples: ['9f86d081884c7d65'] }),
  next: z
    .string()
    .optional()
    .meta({ description: 'Path of the dashboard to open afterwards.', examples: ['/account'] }),
});
const callbackQuery = z.object({
  provider,
  code: z
    .string()
    .optional()
    .meta({ description: 'Code of the provider; missing if it refused.', examples: ['4f9d2c71a8e6'] }),
  state: z
    .string()
    .meta({ description: 'State that the sign-in was started with.', examples: ['8e6403b9d52'] }),
});

type Provider = FastifyRequest<{ Params: { provider: string } }>;

const cookiePath = '/auth/oauth';

/** Sign-in by GitHub, Google or a provider of OpenID Connect: two redirects of the browser (behaviour B4.16). */
export function mountOauth(door: RestDoor): void {
  const { services } = door;
  const { API_URL, DASHBOARD_URL } = services.config;

  const setCookie = (reply: FastifyReply, value: string): void => {
    const maxAge = value === '' ? 0 : startedSignInSeconds;
    const cookie = scopedCookie({ name: startedSignInCookie, value, path: cookiePath, maxAge }, API_URL);
    reply.header('set-cookie', cookie);
  };
  const toLogin = (reply: FastifyReply, reason: SignInRefusalReason) =>
    reply.redirect(`${DASHBOARD_URL}/login?error=${reason}`);

  rawRoute(door, 'GET', '/auth/oauth/:provider', {
    name: 'auth.oauthStart',
    summary: 'Redirects to a sign-in provider: `github`, `google` or `oidc`.',
    input: startQuery,
    statuses: [302],
    errors: ['RESOURCE_NOT_FOUND'],
    location: 'https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766',
    async handler(request, reply) {
      const { provider } = (request as Provider).params;
      const { invitation, next } = request.query as Record<string, unknown>;
      try {
        const { url, cookie } = await startProviderSignIn(services, {
          provider,
          invitation: textOf(invitation),
          next: textOf(next),
        });
        setCookie(reply, cookie);
        return reply.redirect(url);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        services.log.warn({ err: error, provider }, 'a sign-in provider cannot be used');
        return toLogin(reply, 'provider_failed');
      }
    },
  });

  rawRoute(door, 'GET', '/auth/oauth/:provider/callback', {
    name: 'auth.oauthCallback',
    summary: 'Signs in the user whom the provider has identified, and redirects to the dashboard.',
    input: callbackQuery,
    statuses: [302],
    location: 'https://app.example.com/',
    async handler(request, reply) {
      const { provider } = (request as Provider).params;
      // The cookie serves one answer only.
      setCookie(reply, '');
      try {
        const { outcome, next } = await finishProviderSignIn(services, {
          provider,
          query: request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '',
          cookie: readCookie(request.headers.cookie, startedSignInCookie),
          request: {
            id: request.id,
            ip: request.ip,
            acceptLanguage: request.headers['accept-language'],
          },
        });
        if ('secondFactor' in outcome)
          return reply.redirect(secondFactorPage(DASHBOARD_URL, outcome.secondFactor.token, next));
        await openSession(services, reply, outcome);
        return reply.redirect(dashboardPage(DASHBOARD_URL, next));
      } catch (error) {
        if (!(error instanceof SignInRefusal)) throw error;
        services.log.info({ err: error, provider }, 'a sign-in was refused');
        return toLogin(reply, error.reason);
      }
    },
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The login page, which asks for the code. The token is in the fragment, which browsers send to no server. */
function secondFactorPage(dashboardUrl: string, token: string, next: string | undefined): string {
  const url = new URL(`${dashboardUrl}/login`);
  if (next !== undefined) url.searchParams.set('next', next);
  url.hash = `second-factor=${token}`;
  return url.href;
}

/** A page of the dashboard; its first page for a path that leads anywhere else. */
function dashboardPage(dashboardUrl: string, next: string | undefined): string {
  const url = next?.startsWith('/') ? URL.parse(next, dashboardUrl) : null;
  return url?.origin === new URL(dashboardUrl).origin ? url.href : `${dashboardUrl}/`;
}
