import { AppError } from '@postrider/core/base/kernel';
import { changePreferences, getPreferences } from '@postrider/core/mail/tracking';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../plugins/links-host.ts';
import { readerContext, tokenIn } from './context.ts';
import type { PublicDoor } from './door.ts';
import { lookOf } from './look.ts';
import { type LostState, lostPage } from './lost-page.ts';
import { languageOf, notePage } from './note-pages.ts';
import { type Page, sendPage } from './page.ts';
import {
  badChoicePage,
  donePage,
  type Erased,
  erasedPage,
  managePage,
  type Place,
  type Preferences,
  subscribePage,
  tooOftenPage,
  topicEndedPage,
  unsubscribePage,
} from './preference-pages.ts';

interface Route {
  Params: { token: string };
}
type Request = FastifyRequest<Route>;
type Found = Preferences | Erased;
/** Pages of a contact that a restore lost ask for the address (behaviour B11.6). */
type Lost = Extract<Changed['found'], { kind: 'lost' }>;
type Changed = NonNullable<Awaited<ReturnType<typeof changePreferences.run>>>;
type Show = (preferences: Preferences, place: Place, result: Changed['result']) => Page;

/** Whatever a provider sends along with a one-click unsubscribe, in bytes. */
const oneClickLimit = 1024 * 1024;

/** The pages on which recipients choose what they receive (behaviour B1.6). A GET never changes anything. */
export function mountPreferences({ scope, services, tell }: PublicDoor): void {
  const placeOf = (request: Request, found: Found): Place => ({
    look: lookOf(services, found.project),
    base: `${basePathOf(request, services.config)}/u/${encodeURIComponent(request.params.token)}`,
  });

  const linkOf = (request: Request) => ({ token: tokenIn(request.params.token) });

  const look = (request: Request): Promise<Found | Lost | null> =>
    getPreferences.run(readerContext(services, request), linkOf(request));

  const change = (
    request: Request,
    choice: Record<string, unknown>,
    source: 'page' | 'one_click' = 'page',
  ): Promise<Changed | null> =>
    changePreferences.runRaw(readerContext(services, request), { ...choice, ...linkOf(request), source });

  const lost = (request: Request, reply: FastifyReply, state: LostState) => {
    const language = languageOf(request);
    const action = `${basePathOf(request, services.config)}/u/${encodeURIComponent(request.params.token)}/unsubscribe`;
    return sendPage(reply, lostPage(language, action, state));
  };

  const missing = (request: Request, reply: FastifyReply) =>
    sendPage(reply, notePage(404, 'notFound', languageOf(request)));

  const showing =
    (show: (preferences: Preferences, place: Place) => Page) =>
    async (request: Request, reply: FastifyReply) => {
      const found = await look(request);
      if (!found) return missing(request, reply);
      if (found.kind === 'lost') return lost(request, reply, { kind: 'asks' });
      const place = placeOf(request, found);
      return sendPage(reply, found.kind === 'contact' ? show(found, place) : erasedPage(found, place));
    };

  /** Stores a choice and shows what became of it. */
  const answering = async (
    request: Request,
    reply: FastifyReply,
    choice: Record<string, unknown>,
    show: Show,
  ) => {
    const changed = await change(request, choice);
    if (!changed) return missing(request, reply);
    const { found, result } = changed;
    if (found.kind === 'lost') {
      const email = String(choice['email'] ?? '');
      return lost(request, reply, { kind: stateOf[result] ?? 'asks', email });
    }
    const place = placeOf(request, found);
    if (found.kind === 'erased')
      return sendPage(reply, erasedPage(found, place, { isDone: result === 'changed' }));
    return sendPage(reply, result === 'limited' ? tooOftenPage(found, place) : show(found, place, result));
  };

  /** The same for a form whose fields may be anything: what is none of the choices gets a page that says so. */
  const reading = async (
    request: Request,
    reply: FastifyReply,
    choice: Record<string, unknown>,
    show: Show,
  ) => {
    try {
      return await answering(request, reply, choice, show);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
      return showing(badChoicePage)(request, reply);
    }
  };

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
    summary:
      'Ends the topic of the email, or everything (form field `scope`: topic, all; by default what the page offers first), and confirms it on a page. On a page that asks for the address, the form field `email`.',
    statuses: [200, 400, 404, 422, 429],
  });
  scope.post<Route>('/u/:token/unsubscribe', (request, reply) =>
    reading(
      request,
      reply,
      { action: 'unsubscribe', scope: fieldsOf(request)['scope'], email: fieldsOf(request)['email'] },
      (preferences, place, result) =>
        result === 'topic_ended' ? topicEndedPage(preferences, place) : donePage(preferences, place),
    ),
  );

  tell('GET', '/u/:token/subscribe', {
    name: 'preferences.subscribePage',
    summary: 'Page with a subscribe button.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/:token/subscribe', showing(subscribePage));
  tell('POST', '/u/:token/subscribe', {
    name: 'preferences.confirmSubscribe',
    summary: 'Subscribes and confirms it on a page.',
    statuses: [200, 404, 429],
  });
  scope.post<Route>('/u/:token/subscribe', (request, reply) =>
    answering(request, reply, { action: 'subscribe' }, donePage),
  );

  tell('GET', '/u/:token/manage', {
    name: getPreferences.name,
    summary: 'Page with the current state and all choices.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/:token/manage', showing(managePage));
  tell('POST', '/u/:token/manage', {
    name: changePreferences.name,
    summary:
      'Form fields `action` (save, subscribe, unsubscribe, snooze), for save `topic` (the key of a topic, repeated), for snooze `duration` (2w, 1m, 6m, 1y).',
    statuses: [200, 400, 404, 429],
  });
  scope.post<Route>('/u/:token/manage', (request, reply) => {
    const { action, duration, topic } = fieldsOf(request);
    const choice = {
      action,
      duration: action === 'snooze' ? duration : null,
      topics: action === 'save' ? listOf(topic) : null,
    };
    return reading(request, reply, choice, (preferences, place, result) =>
      managePage(
        preferences,
        place,
        result === 'not_subscribed' ? 'notSubscribed' : action === 'save' ? 'saved' : 'changed',
      ),
    );
  });
}

const stateOf: Partial<Record<Changed['result'], LostState['kind']>> = {
  changed: 'done',
  bad_address: 'mistaken',
  limited: 'limited',
};

const fieldsOf = ({ body }: Request): Record<string, unknown> => (body ?? {}) as Record<string, unknown>;

/** A field that may be repeated: none, one or many. */
const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
