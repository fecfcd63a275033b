import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMessage, withInlineImages } from './mailbox-message.ts';
import {
  defaultView,
  framePage,
  listPage,
  messagePage,
  notFoundPage,
  VIEWS,
  type View,
} from './mailbox-pages.ts';
import type { MailboxStore, MailQuery } from './mailbox-store.ts';

export interface MailboxWeb {
  port: number;
  stop(): Promise<void>;
}

const PAGE_SIZE = 50;

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
// Images may load, as in a real mail program, so that opens are recorded. Scripts never run.
const FRAME_POLICY =
  "default-src 'none'; style-src 'unsafe-inline' http: https:; img-src data: http: https:; font-src data: http: https:; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves the web page and the JSON API of a mailbox. */
export async function startMailboxWeb(
  store: MailboxStore,
  host: string,
  port: number,
  dashboardUrl: string | null = null,
): Promise<MailboxWeb> {
  const server = createServer((request, response) => {
    route(store, request, response, dashboardUrl).catch((error: unknown) => {
      console.error('mailbox:', error);
      if (!response.headersSent) json(response, 500, { error: 'The mailbox could not process the request.' });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(
  store: MailboxStore,
  request: IncomingMessage,
  response: ServerResponse,
  dashboardUrl: string | null,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://mailbox');
  const [area, kind, id, part, index] = `/page${url.pathname}`
    .replace('/page/api', '/api')
    .split('/')
    .slice(1);
  if (request.method === 'DELETE' && url.pathname === '/api/messages') return clear(store, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return json(response, 405, { error: 'Only GET and DELETE.' });

  if (area === 'api' && kind === 'messages' && id === undefined)
    return listMessages(store, url, request, response);
  if (area === 'page' && kind === '') {
    const query = queryOf(url);
    const isFirst = query.before === undefined;
    return html(response, 200, listPage(store.list(query), query.search ?? '', isFirst, dashboardUrl));
  }
  if (kind !== 'messages') return missing(area, response);

  const mail = store.get(Number(id));
  if (!mail) return missing(area, response);
  if (part === 'raw') return send(response, 200, 'text/plain; charset=utf-8', mail.raw);
  const content = await readMessage(mail.raw);
  if (area === 'api' && part === undefined) {
    const { raw: _raw, ...summary } = mail;
    const attachments = content.attachments.map(({ content: _content, ...rest }) => rest);
    return json(response, 200, { ...summary, date: summary.receivedAt, ...content, attachments });
  }
  if (part === undefined) {
    const asked = url.searchParams.get('view') as View | null;
    const view = asked !== null && VIEWS.includes(asked) ? asked : defaultView(content);
    return html(response, 200, messagePage(mail, content, view));
  }
  if (part === 'html') {
    response.setHeader('content-security-policy', FRAME_POLICY);
    return send(response, 200, 'text/html; charset=utf-8', framePage(withInlineImages(content)));
  }
  const attachment = part === 'attachments' ? content.attachments[Number(index)] : undefined;
  if (!attachment) return missing(area, response);
  const name = encodeURIComponent(attachment.filename);
  response.setHeader('content-disposition', `attachment; filename*=UTF-8''${name}`);
  // Never served with its own type: an attached page would run with the rights of this one.
  return send(response, 200, 'application/octet-stream', attachment.content);
}

/** Parameters that are whole numbers, with the largest that each may be. */
const NUMBERS = { limit: 1_000, before: Number.MAX_SAFE_INTEGER, after: Number.MAX_SAFE_INTEGER, wait: 30 };

/**
 * The list; with `wait` it is answered when a match later than `after` is there, or after so many seconds without one. Without `after`,
 * any match counts.
 */
async function listMessages(
  store: MailboxStore,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const problem = problemOf(url);
  if (problem !== null) return json(response, 400, { error: problem });
  const query = queryOf(url);
  const gone = new AbortController();
  request.once('close', () => gone.abort());
  const seconds = Number(url.searchParams.get('wait') ?? 0);
  const over = AbortSignal.any([gone.signal, AbortSignal.timeout(seconds * 1_000)]);
  for (;;) {
    const page = store.list(query);
    if (page.messages.length > 0 || seconds === 0 || over.aborted) return json(response, 200, page);
    await store.arrival(over);
  }
}

/** What is wrong with the parameters of a list; null when nothing is. */
function problemOf(url: URL): string | null {
  for (const [name, value] of url.searchParams) {
    if (name === 'search' || name === 'to') continue;
    const most = Object.entries(NUMBERS).find(([known]) => known === name)?.[1];
    if (most === undefined)
      return `There is no parameter ${name}. Known are search, to, ${Object.keys(NUMBERS).join(', ')}.`;
    if (!/^\d{1,16}$/.test(value) || Number(value) > most)
      return `${name} must be a whole number from 0 to ${most}.`;
  }
  return null;
}

function queryOf(url: URL): MailQuery {
  const number = (name: string): number => Number(url.searchParams.get(name) ?? Number.NaN);
  const [limit, before, after] = [number('limit'), number('before'), number('after')];
  const to = url.searchParams.get('to');
  return {
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, 1_000) : PAGE_SIZE,
    search: url.searchParams.get('search') ?? '',
    ...(Number.isInteger(before) ? { before } : {}),
    ...(Number.isInteger(after) ? { after } : {}),
    ...(to ? { to } : {}),
  };
}

/** Another site open in the same browser must not empty the mailbox. */
function clear(store: MailboxStore, request: IncomingMessage, response: ServerResponse): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    json(response, 403, { error: 'Only allowed from the mailbox itself.' });
  } else {
    store.clear();
    json(response, 200, { deleted: true });
  }
}

function missing(area: string | undefined, response: ServerResponse): void {
  if (area === 'api') json(response, 404, { error: 'No such message.' });
  else html(response, 404, notFoundPage());
}

function html(response: ServerResponse, status: number, page: string): void {
  response.setHeader('content-security-policy', PAGE_POLICY);
  send(response, status, 'text/html; charset=utf-8', page);
}

function json(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(body);
}
