import { acceptedLanguage } from '@postrider/core/base/lib';
import type { MailLanguage } from '@postrider/core/mail/sending';
import type { FastifyRequest } from 'fastify';
import { html } from './html.ts';
import type { Page } from './page.ts';
import { texts } from './texts/index.ts';

/** The language of a page that belongs to nobody known. */
export const languageOf = ({ headers }: FastifyRequest): MailLanguage =>
  acceptedLanguage(headers['accept-language']);

/** Pages without a contact. */
export function notePage(
  status: number,
  kind: 'notFound' | 'blocked' | 'badChoice' | 'failure',
  language: MailLanguage,
): Page {
  const { title, text } = texts[language][kind];
  return { status, language, title, body: html`<h1>${title}</h1><p>${text}</p>`, look: null };
}
