import type { MailLanguage } from '@postrider/core/mail/sending';
import { html } from './html.ts';
import type { Page } from './page.ts';
import { texts } from './texts/index.ts';

/** Pages without a contact. In English unless the language of the link's project is known. */
export function notePage(
  status: number,
  kind: 'notFound' | 'blocked' | 'badChoice' | 'failure',
  language: MailLanguage = 'en',
): Page {
  const { title, text } = texts[language][kind];
  return {
    status,
    language,
    title,
    body: html`<h1>${title}</h1><p>${text}</p>`,
    projectName: null,
  };
}
