import type { getPreferences } from '@postrider/core/mail/tracking';
import type { z } from 'zod';
import { fill, type Html, html } from './html.ts';
import type { Look } from './look.ts';
import type { Page } from './page.ts';
import { type PageTexts, texts } from './texts/index.ts';

type Found = NonNullable<z.output<typeof getPreferences.output>>;
/** What a contact receives, for its pages. */
export type Preferences = Extract<Found, { kind: 'contact' }>;
/** What is left of a deleted contact. */
export type Erased = Extract<Found, { kind: 'erased' }>;

/** Where a page stands: its project's look, and the path of the link without a trailing slash. */
export interface Place {
  look: Look;
  base: string;
}

/** The data of all pages of one contact. */
interface Wording extends Place {
  words: PageTexts;
  preferences: Preferences;
}

/** Sentences name the contact, the project and the topic, each isolated from the text direction around it. */
const say = ({ preferences: { email, project, emailTopic } }: Wording, sentence: string): Html =>
  fill(sentence, {
    email: html`<bdi>${email}</bdi>`,
    project: html`<bdi>${project.name}</bdi>`,
    topic: html`<bdi>${emailTopic?.name ?? ''}</bdi>`,
  });

const plain = ({ preferences: { project, emailTopic } }: Wording, sentence: string): string =>
  sentence.replace(/\{(project|topic)\}/g, (_all, name) =>
    name === 'project' ? project.name : (emailTopic?.name ?? ''),
  );

/** A sentence as a title: without its full stop, which Chinese, Japanese and Hindi write in their own way. */
const asTitle = (sentence: string): string => sentence.replace(/[.。।]$/u, '');

const pageOf = ({ preferences, look }: Wording, title: string, body: Html, { status = 200 } = {}): Page => ({
  status,
  language: preferences.language,
  title,
  body,
  look,
});

const wordingOf = (preferences: Preferences, place: Place): Wording => ({
  ...place,
  preferences,
  words: texts[preferences.language],
});

/** Of an email of a topic: ends that, or everything. Of any other: everything. */
export function unsubscribePage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { words, base } = wording;
  const action = `${base}/unsubscribe`;
  const { title, lead, button } = preferences.emailTopic === null ? words.unsubscribe : words.topic;
  return pageOf(
    wording,
    plain(wording, title),
    html`<h1>${say(wording, title)}</h1>
<p>${say(wording, lead)}</p>
${stateNote(wording, { evenWhenSubscribed: false })}
${
  preferences.emailTopic === null
    ? choiceForm(action, html`${button}`)
    : html`${choiceForm(action, say(wording, button), { hidden: { scope: 'topic' } })}
${choiceForm(action, html`${words.manage.all}`, { isMain: false, hidden: { scope: 'all' } })}`
}
${snoozeSection(wording)}
${manageLink(wording)}`,
  );
}

export function subscribePage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { words, base } = wording;
  return pageOf(
    wording,
    plain(wording, words.subscribe.title),
    html`<h1>${say(wording, words.subscribe.title)}</h1>
<p>${say(wording, words.subscribe.lead)}</p>
${stateNote(wording)}
${choiceForm(`${base}/subscribe`, html`${words.subscribe.button}`)}
${manageLink(wording)}`,
  );
}

/** What the page says first: that a choice was stored, or that there was nothing to pause. */
export type Answer = 'changed' | 'saved' | 'notSubscribed';

/** The current subscription with its topics, and every choice that changes it; `answer` after one was made. */
export function managePage(preferences: Preferences, place: Place, answer: Answer | null = null): Page {
  const wording = wordingOf(preferences, place);
  const { words } = wording;
  return pageOf(
    wording,
    words.manage.title,
    html`<h1>${words.manage.title}</h1>
<p>${say(wording, words.manage.lead)}</p>
${answer === 'saved' && !preferences.inert && note('good', true, html`${words.manage.saved}`)}
${answer === 'notSubscribed' ? notSubscribedNote(wording, true) : stateNote(wording, { isAnswer: answer === 'changed' })}
${preferences.topics.length > 1 ? topicForm(wording) : subscriptionForms(wording)}
${snoozeSection(wording)}`,
  );
}

/** One subscription: only what would change it is offered. */
function subscriptionForms({ words, preferences: { status }, base }: Wording): Html {
  const choice = (action: 'subscribe' | 'unsubscribe', isMain: boolean): Html =>
    choiceForm(`${base}/manage`, html`${words[action].button}`, { isMain, hidden: { action } });
  switch (status) {
    case 'subscribed':
      return choice('unsubscribe', true);
    case 'snoozed':
      return html`${choice('subscribe', true)}${choice('unsubscribe', false)}`;
    default:
      return choice('subscribe', true);
  }
}

/** A box for each topic: ticked are those that are received, or would be once subscribed. */
function topicForm({ words, preferences: { topics, status }, base }: Wording): Html {
  const boxes = topics.map(
    ({ key, name, description, wanted }) =>
      html`<label><input type="checkbox" name="topic" value="${key}"${wanted ? html` checked` : null}>
<span><bdi>${name}</bdi>${description !== null && html`<small>${description}</small>`}</span></label>`,
  );
  return html`<form method="post" action="${base}/manage" aria-labelledby="topics"><input type="hidden" name="action" value="save">
<fieldset><legend id="topics">${words.manage.topics}</legend><div class="checks">${boxes}</div></fieldset>
<button type="submit" class="main">${words.manage.save}</button></form>
${
  (status === 'subscribed' || status === 'snoozed') &&
  choiceForm(`${base}/manage`, html`${words.manage.all}`, {
    isMain: false,
    hidden: { action: 'unsubscribe' },
  })
}`;
}

/** The result of an unsubscribe or subscribe. An inert link changes nothing, and the page states that. */
export function donePage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { words, base } = wording;
  if (preferences.inert) return managePage(preferences, place, 'changed');
  const isSubscribed = preferences.status === 'subscribed';
  const now = isSubscribed ? 'subscribed' : 'unsubscribed';
  const title = asTitle(words.state[now]);
  return pageOf(
    wording,
    title,
    html`<h1>${title}</h1>
<p role="status">${say(wording, words.done[now])}</p>
${
  !isSubscribed &&
  html`<section><h2>${words.done.changedMind}</h2>
${choiceForm(`${base}/subscribe`, html`${words.subscribe.button}`, { isMain: false })}</section>`
}
${manageLink(wording)}`,
  );
}

/** One topic has ended, and others are still received: what ended, and the way to leave everything. */
export function topicEndedPage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { words, base } = wording;
  const title = asTitle(words.topic.done);
  return pageOf(
    wording,
    plain(wording, title),
    html`<h1>${say(wording, title)}</h1>
<p role="status">${say(wording, words.topic.doneText)}</p>
${choiceForm(`${base}/unsubscribe`, html`${words.manage.all}`, { isMain: false, hidden: { scope: 'all' } })}
${manageLink(wording)}`,
  );
}

/** For a form that was not submitted from these pages. */
export function badChoicePage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { badChoice } = wording.words;
  return pageOf(
    wording,
    badChoice.title,
    html`<h1>${badChoice.title}</h1><p>${badChoice.text}</p>${manageLink(wording)}`,
    { status: 400 },
  );
}

/** For somebody who subscribes more often than a person does. */
export function tooOftenPage(preferences: Preferences, place: Place): Page {
  const wording = wordingOf(preferences, place);
  const { form } = wording.words;
  return pageOf(
    wording,
    form.limited,
    html`<h1>${form.limited}</h1><p>${form.limitedText}</p>${manageLink(wording)}`,
    { status: 429 },
  );
}

/** The contact was deleted: its address can still leave for good. `isDone` once it has. */
export function erasedPage(
  { language, project }: Erased,
  { look, base }: Place,
  { isDone = false } = {},
): Page {
  const { title, text, button, done, doneText } = texts[language].erased;
  const say_ = (sentence: string): Html => fill(sentence, { project: html`<bdi>${project.name}</bdi>` });
  const heading = isDone ? asTitle(done) : title;
  const body = isDone
    ? html`<h1>${heading}</h1><p role="status">${say_(doneText)}</p>`
    : html`<h1>${heading}</h1><p>${say_(text)}</p>${choiceForm(`${base}/unsubscribe`, html`${button}`)}`;
  return { status: 200, language, title: heading, body, look };
}

function stateNote(wording: Wording, { evenWhenSubscribed = true, isAnswer = false } = {}): Html | null {
  const { words, preferences } = wording;
  const { status, snoozedUntil, inert } = preferences;
  if (inert) return note('warn', isAnswer, html`${words.test}`);
  switch (status) {
    case 'subscribed':
      return evenWhenSubscribed ? note('good', isAnswer, html`${words.state.subscribed}`) : null;
    case 'snoozed':
      return note(
        'warn',
        isAnswer,
        fill(words.state.snoozed, { date: dateOf(preferences.language, snoozedUntil) }),
      );
    case 'unsubscribed':
      return note(null, isAnswer, html`${words.state.unsubscribed}`);
    default:
      return notSubscribedNote(wording, isAnswer);
  }
}

const note = (tone: 'good' | 'warn' | null, isAnswer: boolean, text: Html): Html =>
  html`<p class="state${tone === null ? '' : ` ${tone}`}"${isAnswer && html` role="status"`}>${text}</p>`;

const notSubscribedNote = ({ words }: Wording, isAnswer: boolean): Html =>
  note(null, isAnswer, html`${words.state.notSubscribed}`);

function dateOf(language: string, date: string | null): Html {
  if (date === null) return html``;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  );
  return html`<time datetime="${date}">${day}</time>`;
}

interface ChoiceOptions {
  isMain?: boolean;
  hidden?: Readonly<Record<string, string>>;
}

/** A form of one button, by which screen readers name it. */
function choiceForm(action: string, label: Html, { isMain = true, hidden = {} }: ChoiceOptions = {}): Html {
  const id = `to-${Object.values(hidden)[0] ?? action.slice(action.lastIndexOf('/') + 1)}`;
  return html`<form method="post" action="${action}" aria-labelledby="${id}">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button type="submit" id="${id}"${isMain ? html` class="main"` : null}>${label}</button></form>`;
}

const durations = ['2w', '1m', '6m', '1y'] as const;

/** A pause is offered to those only who receive something: it never starts a subscription. */
function snoozeSection({ words: { snooze }, preferences: { status }, base }: Wording): Html | null {
  if (status !== 'subscribed' && status !== 'snoozed') return null;
  return html`<section>
<form method="post" action="${base}/manage" aria-labelledby="pause"><input type="hidden" name="action" value="snooze">
<fieldset><legend id="pause">${snooze.title}</legend>
<p>${snooze.lead}</p>
<div class="choices">
${durations.map((each) => html`<button type="submit" name="duration" value="${each}">${snooze[each]}</button>`)}
</div></fieldset></form>
</section>`;
}

const manageLink = ({ words, base }: Wording): Html =>
  html`<p class="more"><a href="${base}/manage">${words.manage.link}</a></p>`;
