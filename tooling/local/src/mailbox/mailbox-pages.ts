import { SCRIPT, STYLE } from './mailbox-assets.ts';
import type { MailContent } from './mailbox-message.ts';
import type { MailPage, MailSummary } from './mailbox-store.ts';

export const VIEWS = ['html', 'text', 'headers', 'source', 'attachments'] as const;
export type View = (typeof VIEWS)[number];

const TITLES: Record<View, string> = {
  html: 'HTML',
  text: 'Text',
  headers: 'Headers',
  source: 'Source',
  attachments: 'Attachments',
};

export function listPage(
  page: MailPage,
  search: string,
  isFirst: boolean,
  dashboardUrl: string | null,
): string {
  const query = search === '' ? '' : `search=${encodeURIComponent(search)}&`;
  const older =
    page.nextBefore === null
      ? '<span></span>'
      : `<a class="button" href="/?${query}before=${page.nextBefore}">Older</a>`;
  const newest = isFirst
    ? '<span></span>'
    : `<a class="button" href="/${query === '' ? '' : `?${query.slice(0, -1)}`}">Newest</a>`;
  return layout(
    'Mailbox',
    search,
    `<h1 class="unseen">Messages</h1><div class="bar"><span id="count">${count(page.total, search)}</span>
<span id="status" role="status" class="unseen"></span>${
      dashboardUrl === null ? '' : `<a href="${escapeHtml(dashboardUrl)}">Open the dashboard</a>`
    }<button type="button" id="clear">Delete all</button></div>
<div class="card" id="list">${list(page.messages, search)}</div>
<nav class="pages" aria-label="Pages">${newest}${older}</nav>
<script>${SCRIPT}</script>`,
  );
}

export function messagePage(mail: MailSummary & { raw: Buffer }, content: MailContent, view: View): string {
  const views = VIEWS.filter(
    (name) => name !== 'attachments' || content.attachments.length > 0 || view === name,
  );
  const tabs = views.map((name) => {
    const title = name === 'attachments' ? `${TITLES[name]} (${content.attachments.length})` : TITLES[name];
    return `<a href="/messages/${mail.id}?view=${name}"${name === view ? ' aria-current="page"' : ''}>${title}</a>`;
  });
  const subject = mail.subject === '' ? '(no subject)' : mail.subject;
  return layout(
    subject,
    '',
    `<a href="/">All messages</a>
<h1>${escapeHtml(subject)}</h1>
<dl><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>To</dt><dd>${escapeHtml(mail.to.join(', '))}</dd>
<dt>Envelope from</dt><dd>${escapeHtml(mail.sender)}</dd><dt>Received</dt><dd>${time(mail.receivedAt)}</dd></dl>
<div class="card"><nav class="views" aria-label="Views">${tabs.join('')}</nav>${body(mail, content, view)}</div>`,
  );
}

export function notFoundPage(): string {
  return layout(
    'Not found',
    '',
    '<h1>Not found</h1><p>This message no longer exists. <a href="/">All messages</a></p>',
  );
}

/** The HTML of the email. Links open outside the frame, which may not navigate the page around it. */
export function framePage(html: string): string {
  return `<base target="_blank">${html}`;
}

/** The initial view of a message: HTML if it has any. */
export function defaultView(content: MailContent): View {
  return content.html === null ? 'text' : 'html';
}

function body(mail: MailSummary & { raw: Buffer }, content: MailContent, view: View): string {
  if (view === 'html') {
    if (content.html === null) return '<p class="empty">This message has no HTML part.</p>';
    return `<iframe title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/messages/${mail.id}/html"></iframe>`;
  }
  if (view === 'text') return `<pre>${escapeHtml(content.text ?? 'This message has no text part.')}</pre>`;
  if (view === 'source') {
    return `<pre>${escapeHtml(mail.raw.toString('utf8'))}</pre>`;
  }
  if (view === 'headers') {
    const rows = content.headers.map(
      ({ name, value }) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
    );
    return `<table>${rows.join('')}</table>`;
  }
  if (content.attachments.length === 0) return '<p class="empty">This message has no attachments.</p>';
  const items = content.attachments.map(
    (one) =>
      `<li><a href="/messages/${mail.id}/attachments/${one.index}" download="${escapeHtml(one.filename)}">${escapeHtml(one.filename)}</a> ` +
      `${escapeHtml(one.mimeType)}, ${bytes(one.size)}</li>`,
  );
  return `<ul class="files">${items.join('')}</ul>`;
}

function list(messages: MailSummary[], search: string): string {
  if (messages.length === 0) {
    return `<p class="empty">${search === '' ? 'No messages yet. All email that Postrider sends arrives here.' : 'No messages match your search.'}</p>`;
  }
  const items = messages.map(
    (mail) => `<li data-id="${mail.id}"><a href="/messages/${mail.id}">
<span class="to">${escapeHtml(mail.to.join(', '))}</span><span class="subject">${escapeHtml(mail.subject === '' ? '(no subject)' : mail.subject)}</span>${time(mail.receivedAt)}
<span class="from">from ${escapeHtml(mail.from)}</span><span class="size">${bytes(mail.size)}</span></a></li>`,
  );
  return `<ul class="mails">${items.join('')}</ul>`;
}

function layout(title: string, search: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Postrider mailbox</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><a class="skip" href="#main">Skip to content</a>
<header><div><p class="name"><a href="/">Postrider mailbox</a></p>
<form class="search" role="search" action="/"><input type="search" name="search" aria-label="Search by address, subject or id" placeholder="Address, subject or id" value="${escapeHtml(search)}"><button>Search</button></form></div></header>
<main id="main">${content}</main></body></html>`;
}

function count(total: number, search: string): string {
  const noun = total === 1 ? 'message' : 'messages';
  const counted = `${total.toLocaleString('en')} ${noun}`;
  return search === '' ? counted : `${counted} match “${escapeHtml(search)}”`;
}

function time(iso: string): string {
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
