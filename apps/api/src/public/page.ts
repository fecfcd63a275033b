import type { MailLanguage } from '@postrider/core/mail/sending';
import type { FastifyReply } from 'fastify';
import { Html, html } from './html.ts';
import type { Look } from './look.ts';
import { type Leave, policyOf, style } from './style.ts';
import { texts } from './texts/index.ts';

export interface Page {
  status: number;
  language: MailLanguage;
  /** text of the window's title */
  title: string;
  body: Html;
  /** of the project of the link; null if unknown */
  look: Look | null;
  /** what it may do beside that; a page whose address is no secret may name its origin */
  leave?: Leave & { isPublic?: boolean };
}

/** A complete page without scripts. Its address contains a token, so it is not cached and sends no referrer. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-language', page.language)
    .header('content-security-policy', policyOf(page.look, page.leave))
    .header('referrer-policy', page.leave?.isPublic ? 'same-origin' : 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex, nofollow')
    .send(documentOf(page).text);
}

const documentOf = ({ language, title, body, look }: Page): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${look === null ? title : `${title} · ${look.projectName}`}</title>
<style>${new Html(style)}</style>
${look !== null && look.colors !== '' && html`<style>${new Html(look.colors)}</style>`}
</head>
<body>
${look !== null && html`<header>${headerOf(look)}</header>`}
<main>
${body}
</main>
${look !== null && footerOf(look, language)}
</body>
</html>
`;

const headerOf = ({ logoUrl, projectName }: Look): Html =>
  logoUrl === null
    ? html`<bdi>${projectName}</bdi>`
    : html`<img src="${logoUrl}" alt="${projectName}" height="44">`;

/** Who writes: with a logo, its name in words too. */
function footerOf({ logoUrl, projectName, address, privacyUrl }: Look, language: MailLanguage): Html | null {
  const lines = [
    logoUrl !== null && html`<p><bdi>${projectName}</bdi></p>`,
    address !== null && html`<p><bdi>${address}</bdi></p>`,
    privacyUrl !== null &&
      html`<p><a href="${privacyUrl}" rel="noreferrer">${texts[language].form.privacy}</a></p>`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? null : html`<footer>${lines}</footer>`;
}
