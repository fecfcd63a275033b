import { answerSubscriptionRequest, type ShownRequest, showRequest } from '@postrider/core/mail/forms';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../plugins/links-host.ts';
import { confirmPage } from './confirm-pages.ts';
import { readerContext, tokenIn } from './context.ts';
import type { PublicDoor } from './door.ts';
import { lookOf } from './look.ts';
import { languageOf, notePage } from './note-pages.ts';
import { sendPage } from './page.ts';

interface Route {
  Params: { token: string };
}
type Request = FastifyRequest<Route>;

/** The page on which the owner of an address confirms a subscription (behaviour B12.5). Only a POST changes anything: scanners open links. */
export function mountConfirmations({ scope, services, tell }: PublicDoor): void {
  const answer = (request: Request, reply: FastifyReply, found: ShownRequest | null, isNew = false) => {
    if (!found) return sendPage(reply, notePage(404, 'notFound', languageOf(request)));
    const base = basePathOf(request, services.config);
    const place = {
      look: lookOf(services, found.project),
      action: `${base}/s/${encodeURIComponent(request.params.token)}`,
      manage: `${base}/u/${found.preferences}/manage`,
    };
    return sendPage(reply, confirmPage(found, place, { isNew }));
  };
  const linkOf = (request: Request) => ({ token: tokenIn(request.params.token) });

  tell('GET', '/s/:token', {
    name: showRequest.name,
    summary: 'Page with the subscription that somebody asked for, and the buttons to confirm or decline it.',
    statuses: [200, 404],
  });
  scope.get<Route>('/s/:token', async (request, reply) =>
    answer(request, reply, await showRequest.run(readerContext(services, request), linkOf(request))),
  );

  tell('POST', '/s/:token', {
    name: answerSubscriptionRequest.name,
    summary:
      'Form field `answer` (confirm, decline). Answers a page, or leads to the `confirmedUrl` of the form.',
    statuses: [200, 303, 400, 404],
  });
  scope.post<Route>('/s/:token', async (request, reply) => {
    const { answer: given } = (request.body ?? {}) as Record<string, unknown>;
    const context = readerContext(services, request);
    if (given !== 'confirm' && given !== 'decline') {
      const found = await showRequest.run(context, linkOf(request));
      return found
        ? sendPage(reply, {
            ...notePage(400, 'badChoice', found.language),
            look: lookOf(services, found.project),
          })
        : answer(request, reply, null);
    }
    const answered = await answerSubscriptionRequest.run(context, { ...linkOf(request), answer: given });
    if (!answered) return answer(request, reply, null);
    const { request: found, isNew } = answered;
    if (found.state === 'confirmed' && found.confirmedUrl !== null)
      return reply
        .code(303)
        .header('cache-control', 'no-store')
        .header('location', found.confirmedUrl)
        .send();
    return answer(request, reply, found, isNew);
  });
}
