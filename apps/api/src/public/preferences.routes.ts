import { AppError } from '@postrider/core/base/kernel';
import { changePreferences, getPreferences } from '@postrider/core/mail/tracking';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../plugins/links-host.ts';
import { readerContext, tokenIn } from './context.ts';
import type { PublicDoor } from './door.ts';
import { notePage } from './note-pages.ts';
import { type Page, sendPage } from './page.ts';
import {
  badChoicePage,
  donePage,
  managePage,
  type Preferences,
  subscribePage,
  unsubscribePage,
} from './preference-pages.ts';

interface Route {
  Params: { token: string };
}
type Request = FastifyRequest<Route>;
type Show = (preferences: Preferences, base: string) => Page;

/** The pages on which recipients choose what they receive (behaviour B1.6). A GET never changes anything. */
const oneClickLimit = 1024 * 1024;

export function mountPreferences({ scope, services, tell }: PublicDoor): void {
  const baseOf = (request: Request): string =>
    `${basePathOf(request, services.config)}/u/${encodeURIComponent(request.params.token)}`;

  const answer = (request: Request, reply: FastifyReply, found: Preferences | null, show: Show) =>
    sendPage(reply, found ? show(found, baseOf(request)) : notePage(404, 'notFound'));

  const look = (request: Request): Promise<Preferences | null> =>
    getPreferences.run(readerContext(services, request), { token: tokenIn(request.params.token) });

  const change = (
    request: Request,
    choice: Record<string, unknown>,
    source: 'page' | 'one_click' = 'page',
  ): Promise<Preferences | null> =>
    changePreferences.runRaw(readerContext(services, request), {
      ...choice,
      token: tokenIn(request.params.token),
      source,
    });

  const showing = (show: Show) => async (request: Request, reply: FastifyReply) =>
    answer(request, reply, await look(request), show);

  const choosing = (action: 'subscribe' | 'unsubscribe') => async (request: Request, reply: FastifyReply) =>
    answer(request, reply, await change(request, { action }), donePage);

  tell('POST', '/u/:token', {
    name: 'preferences.oneClick',
    summary: 'One-click unsubscribe (RFC 8058). The answer is the same for every token.',
    produces: 'text/plain',
  });
  scope.post<Route>('/u/:token', {
    // Whatever a provider sends along, leaving must not fail by it.
    bodyLimit: oneClickLimit,
    onRequest(request, _reply, done) {
      // The request itself is the opt-out: its body is not read, so no content type may be refused.
      delete request.headers['content-type'];
      done();
    },
    async handler(request, reply) {
      await change(request, { action: 'unsubscribe' }, 'one_click');
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('Unsubscribed');
    },
  });

  tell('GET', '/u/:token', {
    name: 'preferences.unsubscribe',
    summary: 'Page with an unsubscribe button and snooze choices.',
    statuses: [200, 404],
  });
  tell('GET', '/u/:token/unsubscribe', {
    name: 'preferences.unsubscribePage',
    summary: 'The same page.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/:token', showing(unsubscribePage));
  scope.get<Route>('/u/:token/unsubscribe', showing(unsubscribePage));

  tell('POST', '/u/:token/unsubscribe', {
    name: 'preferences.confirmUnsubscribe',
    summary: 'Unsubscribes and confirms it on a page.',
    statuses: [200, 404],
  });
  scope.post<Route>('/u/:token/unsubscribe', choosing('unsubscribe'));

  tell('GET', '/u/:token/subscribe', {
    name: 'preferences.subscribePage',
    summary: 'Page with a subscribe button.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/:token/subscribe', showing(subscribePage));
  tell('POST', '/u/:token/subscribe', {
    name: 'preferences.confirmSubscribe',
    summary: 'Subscribes and confirms it on a page.',
    statuses: [200, 404],
  });
  scope.post<Route>('/u/:token/subscribe', choosing('subscribe'));

  tell('GET', '/u/:token/manage', {
    name: getPreferences.name,
    summary: 'Page with the current state and all choices.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/:token/manage', showing(managePage));
  tell('POST', '/u/:token/manage', {
    name: changePreferences.name,
    summary:
      'Form fields `action` (subscribe, unsubscribe, snooze) and, for snooze, `duration` (2w, 1m, 6m, 1y).',
    statuses: [200, 400, 404],
  });
  scope.post<Route>('/u/:token/manage', async (request, reply) => {
    const { action, duration } = (request.body ?? {}) as Record<string, unknown>;
    try {
      const found = await change(request, { action, duration: action === 'snooze' ? duration : null });
      return answer(request, reply, found, (preferences, base) =>
        managePage(preferences, base, { isAnswer: true }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
      return answer(request, reply, await look(request), badChoicePage);
    }
  });
}
