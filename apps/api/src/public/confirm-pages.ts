import type { ShownRequest } from '@postrider/core/mail/forms';
import { fill, type Html, html } from './html.ts';
import type { Look } from './look.ts';
import type { Page } from './page.ts';
import { texts } from './texts/index.ts';

interface Place {
  look: Look;
  /** path of the page */
  action: string;
  /** path of the pages on which the contact chooses what it receives */
  manage: string;
}

/** The request of a link in the state that it has; `isNew` if the reader has just brought it about. */
export function confirmPage(request: ShownRequest, place: Place, { isNew = false } = {}): Page {
  const { language, state } = request;
  const { title, body } = bodies[state](request, place, isNew);
  return { status: 200, language, title, body, look: place.look, leave: { leadsTo: request.confirmedUrl } };
}

type Body = (request: ShownRequest, place: Place, isNew: boolean) => { title: string; body: Html };

const bodies: Record<ShownRequest['state'], Body> = {
  open(request, { action }) {
    const words = texts[request.language].confirm;
    const { title } = words;
    return {
      title,
      body: html`<h1>${title}</h1>
<p>${say(request, words.lead)}</p>
${
  request.topics.length > 0 &&
  html`<section><h2>${words.topics}</h2><ul>${request.topics.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul></section>`
}
${
  request.wording !== null &&
  html`<section><h2>${words.wording}</h2><p class="wording">${request.wording}</p></section>`
}
${answerForm(action, 'confirm', words.button, true)}
${answerForm(action, 'decline', words.decline, false)}`,
    };
  },
  confirmed(request, { manage }, isNew) {
    const words = texts[request.language];
    const title = asTitle(isNew ? words.confirm.done : words.confirm.already);
    return {
      title,
      body: html`<h1>${title}</h1>
<p role="status">${say(request, words.confirm.doneText)}</p>
<p class="more"><a href="${manage}">${words.manage.link}</a></p>`,
    };
  },
  declined(request) {
    const words = texts[request.language].confirm;
    const title = asTitle(words.declined);
    return {
      title,
      body: html`<h1>${title}</h1><p role="status">${say(request, words.declinedText)}</p>`,
    };
  },
  expired(request) {
    const words = texts[request.language].confirm;
    return {
      title: words.expired,
      body: html`<h1>${words.expired}</h1>
<p>${say(request, words.expiredText)}</p>
${request.formUrl !== null && html`<p class="more"><a href="${request.formUrl}">${words.again}</a></p>`}`,
    };
  },
};

const say = ({ email, project }: ShownRequest, sentence: string): Html =>
  fill(sentence, { email: html`<bdi>${email}</bdi>`, project: html`<bdi>${project.name}</bdi>` });

const asTitle = (sentence: string): string => sentence.replace(/[.。।]$/u, '');

const answerForm = (action: string, answer: 'confirm' | 'decline', label: string, isMain: boolean): Html =>
  html`<form method="post" action="${action}" aria-labelledby="to-${answer}"><input type="hidden" name="answer" value="${answer}"><button type="submit" id="to-${answer}"${
    isMain ? html` class="main"` : null
  }>${label}</button></form>`;
