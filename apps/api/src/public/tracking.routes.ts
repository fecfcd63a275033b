import { selectLanguage } from '@postrider/core/mail/sending';
import { recordClick, recordOpen } from '@postrider/core/mail/tracking';
import { unknownRoute } from '../errors/failure.ts';
import { logUnexpected } from '../plugins/failures.ts';
import { readerContext, tokenIn, visitorOf } from './context.ts';
import type { PublicDoor } from './door.ts';
import { languageOf, notePage } from './note-pages.ts';
import { sendPage } from './page.ts';

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const suffix = '.gif';

/**
 * Opens and clicks (behaviour B1.5), answered before they are stored. Wildcards, because the token of a long link exceeds the limit of path parameters.
 */
export function mountTracking({ scope, services, tell }: PublicDoor): void {
  tell('GET', '/t/o/:token.gif', {
    name: recordOpen.name,
    summary: 'The image at the end of a tracked email. Answers for every token; a valid one records an open.',
    produces: 'image/gif',
  });
  scope.get<{ Params: { '*': string } }>('/t/o/*', async (request, reply) => {
    const file = request.params['*'];
    if (!file.endsWith(suffix)) throw unknownRoute();
    const token = tokenIn(file.slice(0, -suffix.length));
    try {
      await recordOpen.run(readerContext(services, request), { token, ...visitorOf(request) });
    } catch (error) {
      // The recipient gets the image in any case; the failure is logged.
      logUnexpected(services.log, error, request.id);
    }
    return reply.type('image/gif').header('cache-control', 'no-store').send(pixel);
  });

  tell('GET', '/t/c/:token', {
    name: recordClick.name,
    summary:
      'A tracked link. Redirects to the original link and records a click. 410 if the project was disabled for phishing.',
    statuses: [302, 404, 410, 503],
  });
  scope.get<{ Params: { '*': string } }>('/t/c/*', async (request, reply) => {
    const token = tokenIn(request.params['*']);
    const { url, blocked } = await recordClick.run(readerContext(services, request), {
      token,
      ...visitorOf(request),
    });
    if (blocked !== undefined) return sendPage(reply, notePage(410, 'blocked', selectLanguage(blocked)));
    if (url === null) return sendPage(reply, notePage(404, 'notFound', languageOf(request)));
    return reply
      .code(302)
      .header('location', headerSafe(url))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send();
  });
}

/** The original link; only characters that a header cannot contain are encoded, as browsers do. */
const headerSafe = (url: string): string =>
  url
    .toWellFormed()
    .replace(/[\t\r\n]/g, '')
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent);
