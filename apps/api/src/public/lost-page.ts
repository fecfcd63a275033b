import type { MailLanguage } from '@postrider/core/mail/sending';
import { emailField } from './form-pages.ts';
import { fill, html } from './html.ts';
import type { Page } from './page.ts';
import { texts } from './texts/index.ts';

/** How far the reader of an email is whose contact a restore has lost. `email` is what was typed. */
export interface LostState {
  kind: 'asks' | 'mistaken' | 'limited' | 'done';
  email?: string;
}

/** Asks for the address that is to receive nothing more: the link does not tell any more whose it was (behaviour B11.6). */
export function lostPage(language: MailLanguage, action: string, { kind, email = '' }: LostState): Page {
  const words = texts[language];
  const { lost, form, unsubscribe, state } = words;
  if (kind === 'limited') {
    const body = html`<h1>${form.limited}</h1><p role="status">${form.limitedText}</p>`;
    return { status: 429, language, title: form.limited, body, look: null };
  }
  if (kind === 'done') {
    const title = state.unsubscribed.replace(/[.。।]$/u, '');
    const said = fill(lost.done, { email: html`<bdi>${email.trim()}</bdi>` });
    const body = html`<h1>${title}</h1><p role="status">${said}</p>`;
    return { status: 200, language, title, body, look: null };
  }
  const isMistaken = kind === 'mistaken';
  const body = html`<h1>${lost.title}</h1><p>${lost.lead}</p>
<form method="post" action="${action}" novalidate>
${emailField(words, { email: [email] }, isMistaken ? 'email' : undefined)}
<button type="submit" class="main">${unsubscribe.button}</button></form>`;
  return { status: isMistaken ? 422 : 200, language, title: lost.title, body, look: null };
}
