import type { MailLanguage } from '@postrider/core/mail/sending';
import type { FastifyReply } from 'fastify';
import { Html, html } from './html.ts';
import { policy, style } from './style.ts';

export interface Page {
  status: number;
  language: MailLanguage;
  /** text of the window's title */
  title: string;
  body: Html;
  /** project of the link; null if unknown */
  projectName: string | null;
}

/** A complete page without scripts. Its address contains a token, so it is not cached and sends no referrer. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-language', page.language)
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex, nofollow')
    .send(documentOf(page).text);
}

const documentOf = ({ language, title, body, projectName }: Page): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${projectName === null ? title : `${title} · ${projectName}`}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${body}
</main>
${projectName !== null && html`<footer>${projectName}</footer>`}
</body>
</html>
`;
