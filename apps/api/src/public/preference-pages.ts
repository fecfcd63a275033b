import { type MailLanguage, selectLanguage } from '@postrider/core/mail/sending';
import type { getPreferences } from '@postrider/core/mail/tracking';
import type { z } from 'zod';
import { fill, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { type PageTexts, texts } from './texts/index.ts';

export type Preferences = NonNullable<z.output<typeof getPreferences.output>>;

/** The data of all pages of one contact. */
interface Wording {
  language: MailLanguage;
  words: PageTexts;
  preferences: Preferences;
  /** path of the contact's pages, without a trailing slash */
  base: string;
}

const wordingOf = (preferences: Preferences, base: string): Wording => {
  const language = selectLanguage(preferences.language);
  return { language, words: texts[language], preferences, base };
};

/** A sentence with the address and the project's name, each isolated from the text direction around it. */
const say = ({ preferences }: Wording, sentence: string): Html =>
  fill(sentence, {
    email: html`<bdi>${preferences.email}</bdi>`,
    project: html`<bdi>${preferences.projectName}</bdi>`,
  });

const plain = ({ preferences }: Wording, sentence: string): string =>
  sentence.replace('{project}', () => preferences.projectName);

/** A sentence as a title: without its full stop, which Chinese, Japanese and Hindi write in their own way. */
const asTitle = (sentence: string): string => sentence.replace(/[.。।]$/u, '');

const pageOf = (wording: Wording, title: string, body: Html, status = 200): Page => ({
  status,
  language: wording.language,
  title,
  body,
  projectName: wording.preferences.projectName,
});

export function unsubscribePage(preferences: Preferences, base: string): Page {
  const wording = wordingOf(preferences, base);
  const { words } = wording;
  return pageOf(
    wording,
    plain(wording, words.unsubscribe.title),
    html`<h1>${say(wording, words.unsubscribe.title)}</h1>
<p>${say(wording, words.unsubscribe.lead)}</p>
${stateNote(wording, { evenWhenSubscribed: false })}
${choiceForm(`${base}/unsubscribe`, words.unsubscribe.button)}
${snoozeSection(wording)}
${manageLink(wording)}`,
  );
}

export function subscribePage(preferences: Preferences, base: string): Page {
  const wording = wordingOf(preferences, base);
  const { words } = wording;
  return pageOf(
    wording,
    plain(wording, words.subscribe.title),
    html`<h1>${say(wording, words.subscribe.title)}</h1>
<p>${say(wording, words.subscribe.lead)}</p>
${stateNote(wording)}
${choiceForm(`${base}/subscribe`, words.subscribe.button)}
${manageLink(wording)}`,
  );
}

/** The current subscription and all choices; `isAnswer` after a choice was made. */
export function managePage(preferences: Preferences, base: string, { isAnswer = false } = {}): Page {
  const wording = wordingOf(preferences, base);
  const { words } = wording;
  const { subscribed, snoozedUntil } = preferences;
  const choice = (action: 'subscribe' | 'unsubscribe', isCurrent: boolean): Html =>
    html`<form method="post" action="${base}/manage"><input type="hidden" name="action" value="${action}">
<button type="submit"${isCurrent ? html` disabled` : null}>${words[action].button}</button></form>`;
  return pageOf(
    wording,
    words.manage.title,
    html`<h1>${words.manage.title}</h1>
<p>${say(wording, words.manage.lead)}</p>
${stateNote(wording, { isAnswer })}
${choice('subscribe', subscribed)}
${choice('unsubscribe', !subscribed && snoozedUntil === null)}
${snoozeSection(wording)}`,
  );
}

/** The result of an unsubscribe or subscribe. An inert link changes nothing, and the page states that. */
export function donePage(preferences: Preferences, base: string): Page {
  const wording = wordingOf(preferences, base);
  const { words } = wording;
  const now = preferences.subscribed ? 'subscribed' : 'unsubscribed';
  if (preferences.inert) return managePage(preferences, base, { isAnswer: true });
  const title = asTitle(words.state[now]);
  return pageOf(
    wording,
    title,
    html`<h1>${title}</h1>
<p role="status">${say(wording, words.done[now])}</p>
${
  !preferences.subscribed &&
  html`<section><h2>${words.done.changedMind}</h2>
${choiceForm(`${base}/subscribe`, words.subscribe.button, { isMain: false })}</section>`
}
${manageLink(wording)}`,
  );
}

/** For a form that was not submitted from these pages. */
export function badChoicePage(preferences: Preferences, base: string): Page {
  const wording = wordingOf(preferences, base);
  const { badChoice } = wording.words;
  return pageOf(
    wording,
    badChoice.title,
    html`<h1>${badChoice.title}</h1><p>${badChoice.text}</p>${manageLink(wording)}`,
    400,
  );
}

function stateNote(
  { words, preferences, language }: Wording,
  { evenWhenSubscribed = true, isAnswer = false } = {},
): Html | null {
  const { subscribed, snoozedUntil, inert } = preferences;
  const role = isAnswer ? html` role="status"` : null;
  if (inert) return html`<p class="state warn"${role}>${words.test}</p>`;
  if (subscribed) {
    return evenWhenSubscribed ? html`<p class="state good"${role}>${words.state.subscribed}</p>` : null;
  }
  if (snoozedUntil === null) return html`<p class="state"${role}>${words.state.unsubscribed}</p>`;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(snoozedUntil),
  );
  const time = html`<time datetime="${snoozedUntil}">${date}</time>`;
  return html`<p class="state warn"${role}>${fill(words.state.snoozed, { date: time })}</p>`;
}

const choiceForm = (action: string, label: string, { isMain = true } = {}): Html =>
  html`<form method="post" action="${action}"><button type="submit"${isMain ? html` class="main"` : null}>${label}</button></form>`;

const durations = ['2w', '1m', '6m', '1y'] as const;

const snoozeSection = ({ words: { snooze }, base }: Wording): Html =>
  html`<section aria-labelledby="snooze">
<h2 id="snooze">${snooze.title}</h2>
<p>${snooze.lead}</p>
<form method="post" action="${base}/manage"><input type="hidden" name="action" value="snooze">
<div class="choices" role="group" aria-labelledby="snooze">
${durations.map((each) => html`<button type="submit" name="duration" value="${each}">${snooze[each]}</button>`)}
</div></form>
</section>`;

const manageLink = ({ words, base }: Wording): Html =>
  html`<p class="more"><a href="${base}/manage">${words.manage.link}</a></p>`;
