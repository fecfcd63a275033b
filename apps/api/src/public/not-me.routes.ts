import { disownAccount, getClaimedAccount } from '@postrider/core/mail/tracking';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../plugins/links-host.ts';
import { readerContext, tokenIn } from './context.ts';
import type { PublicDoor } from './door.ts';
import { fill, html } from './html.ts';
import { languageOf, notePage } from './note-pages.ts';
import { type Page, sendPage } from './page.ts';
import { texts } from './texts/index.ts';

interface Route {
  Params: { token: string };
}
type Request = FastifyRequest<Route>;
type Account = NonNullable<Awaited<ReturnType<typeof getClaimedAccount.run>>>;

/** The page on which readers of a mailbox disown an account that was made with its address (behaviour B11.4). A GET never changes anything. */
export function mountNotMe({ scope, services, tell }: PublicDoor): void {
  const host = new URL(services.config.DASHBOARD_URL).host;

  const pageOf = ({ email, language, disowned }: Account, action: string): Page => {
    const { title, lead, button, done } = texts[language].notMe;
    const say = (sentence: string) =>
      fill(sentence, { email: html`<bdi>${email}</bdi>`, host: html`<bdi>${host}</bdi>` });
    const body = disowned
      ? html`<h1>${title}</h1><p role="status">${say(done)}</p>`
      : html`<h1>${title}</h1><p>${say(lead)}</p>
<form method="post" action="${action}"><button type="submit" class="main">${button}</button></form>`;
    return { status: 200, language, title, body, look: null };
  };

  const answer = (request: Request, reply: FastifyReply, account: Account | null) => {
    const action = `${basePathOf(request, services.config)}/u/not-me/${encodeURIComponent(request.params.token)}`;
    return sendPage(
      reply,
      account ? pageOf(account, action) : notePage(404, 'notFound', languageOf(request)),
    );
  };
  const linkOf = (request: Request) => ({ token: tokenIn(request.params.token) });
  const look = (request: Request) => getClaimedAccount.run(readerContext(services, request), linkOf(request));

  tell('GET', '/u/not-me/:token', {
    name: getClaimedAccount.name,
    summary: 'Page for the owner of an address that somebody else signed up with.',
    statuses: [200, 404],
  });
  scope.get<Route>('/u/not-me/:token', async (request, reply) => answer(request, reply, await look(request)));

  tell('POST', '/u/not-me/:token', {
    name: disownAccount.name,
    summary: 'Takes the address from that account and disables its projects.',
    statuses: [200, 404],
  });
  scope.post<Route>('/u/not-me/:token', async (request, reply) => {
    const account = await look(request);
    if (!account || account.disowned) return answer(request, reply, account);
    return answer(request, reply, await disownAccount.run(readerContext(services, request), linkOf(request)));
  });
}
