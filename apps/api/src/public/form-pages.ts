import type { ShownForm } from '@postrider/core/mail/forms';
import type { MailLanguage } from '@postrider/core/mail/sending';
import { fill, type Html, html } from './html.ts';
import type { Look } from './look.ts';
import type { Page } from './page.ts';
import { type PageTexts, texts } from './texts/index.ts';

/** What a visitor has filled in, by the names of the inputs. */
export type Filled = Readonly<Record<string, readonly string[]>>;

export interface FormPlace {
  look: Look;
  /** path that the form is sent to */
  action: string;
  /** in a frame of another page */
  isFramed: boolean;
}

type Mistakes = Readonly<Record<string, string>>;

const leaveOf = ({ origins, redirectUrl }: ShownForm) => ({
  ancestors: origins,
  leadsTo: redirectUrl,
  isPublic: true,
});

/** The form, empty or with what was filled in and what is wrong with it. */
export function formPage(
  form: ShownForm,
  { look, action, isFramed }: FormPlace,
  { filled = {}, mistakes = {} }: { filled?: Filled; mistakes?: Mistakes } = {},
): Page {
  const words = texts[form.language];
  const hasMistakes = Object.keys(mistakes).length > 0;
  const target = isFramed && form.redirectUrl !== null;
  const body = html`<h1>${form.title}</h1>
${form.text !== null && html`<p class="prose">${form.text}</p>`}
${hasMistakes && html`<p class="state bad" role="alert">${words.form.problem}</p>`}
<form method="post" action="${action}" novalidate${target && html` target="_top"`}>
<input type="hidden" name="token" value="${form.token}"><input type="hidden" name="language" value="${form.language}">
${emailField(words, filled, mistakes['email'])}
${form.fields.map((field) => fieldOf(field, words, filled, mistakes[`fields.${field.key}`]))}
${topicChoice(form, words, filled, mistakes['topics'])}
<div class="unseen" aria-hidden="true"><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></div>
<p class="wording">${form.consentText}</p>
<button type="submit" class="main">${form.button ?? words.subscribe.button}</button></form>`;
  return {
    status: hasMistakes ? 422 : 200,
    language: form.language,
    title: form.title,
    body,
    look,
    leave: leaveOf(form),
  };
}

/** The same for every address, whatever becomes of it. */
export function receivedPage(form: ShownForm, look: Look, email: string): Page {
  const { received, receivedText } = texts[form.language].form;
  const said = fill(receivedText, { email: html`<bdi>${email}</bdi>` });
  return {
    status: 200,
    language: form.language,
    title: received,
    body: html`<h1>${received}</h1><p role="status">${said}</p>`,
    look,
    leave: leaveOf(form),
  };
}

/** A guarded form, without a script: the button counts once five seconds have passed. */
export function waitPage(
  form: ShownForm,
  { look, action, isFramed }: FormPlace,
  { filled, wait, isEarly }: { filled: Filled; wait: string; isEarly: boolean },
): Page {
  const words = texts[form.language].form;
  const { token: _, ...kept } = filled;
  const inputs = Object.entries(kept).flatMap(([name, values]) =>
    values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
  const target = isFramed && form.redirectUrl !== null;
  const body = html`<h1>${words.check}</h1>
<p role="status">${isEarly ? words.checkEarly : words.checkText}</p>
<form method="post" action="${action}"${target && html` target="_top"`}>${inputs}<input type="hidden" name="token" value="${wait}">
<button type="submit" class="main">${words.continue}</button></form>`;
  return { status: 200, language: form.language, title: words.check, body, look, leave: leaveOf(form) };
}

const notes = {
  closed: { status: 410, title: 'closed', text: 'closedText' },
  limited: { status: 429, title: 'limited', text: 'limitedText' },
  refused: { status: 403, title: 'refused', text: 'refusedText' },
} as const;

/** A form that takes no sign-up, at present, at all, or from here. */
export function formNote(
  kind: keyof typeof notes,
  language: MailLanguage,
  look: Look | null,
  form?: ShownForm,
): Page {
  const { status, title, text } = notes[kind];
  const words = texts[language].form;
  return {
    status,
    language,
    title: words[title],
    body: html`<h1>${words[title]}</h1><p role="status">${words[text]}</p>`,
    look,
    ...(form && { leave: leaveOf(form) }),
  };
}

/** What is wrong with an input, in words. */
export const mistakeInWords = (language: MailLanguage, mistake: string): string =>
  wordsOf(texts[language], mistake);

/** An input with its label, and below it what is wrong with it. */
function labelled(
  {
    id,
    label,
    note,
    language,
    mistake,
  }: { id: string; label: string; note?: string; language: PageTexts; mistake: string | undefined },
  input: (described: Html | null) => Html,
): Html {
  const described =
    mistake === undefined ? null : html` aria-invalid="true" aria-describedby="${id}-mistake"`;
  return html`<div class="field"><label for="${id}">${label}${note !== undefined && html` <small>(${note})</small>`}</label>
${input(described)}
${mistake !== undefined && html`<p class="mistake" id="${id}-mistake">${wordsOf(language, mistake)}</p>`}</div>`;
}

function wordsOf({ form }: PageTexts, mistake: string): string {
  switch (mistake) {
    case 'required':
      return form.required;
    case 'email':
      return form.badEmail;
    case 'domain':
      return form.badDomain;
    case 'topic':
      return form.noTopic;
    default:
      return form.badValue;
  }
}

/** The input of an address, with what is wrong with it. */
export const emailField = (words: PageTexts, filled: Filled, mistake: string | undefined): Html =>
  labelled(
    { id: 'email', label: words.form.email, language: words, mistake },
    (described) =>
      html`<input id="email" name="email" type="email" autocomplete="email" required value="${filled['email']?.[0] ?? ''}"${described}>`,
  );

function fieldOf(
  { key, label, type, required, options }: ShownForm['fields'][number],
  words: PageTexts,
  filled: Filled,
  mistake: string | undefined,
): Html {
  const name = `fields.${key}`;
  const id = `field-${key.replace(/[^\w-]/g, '_')}`;
  const given = filled[name]?.[0] ?? '';
  const must = required && html` required`;
  if (type === 'CHECKBOX') {
    const described =
      mistake === undefined ? null : html` aria-invalid="true" aria-describedby="${id}-mistake"`;
    return html`<div class="field checks"><label><input type="checkbox" name="${name}" value="true"${given !== '' && html` checked`}${must}${described}>
<span>${label}</span></label>${mistake !== undefined && html`<p class="mistake" id="${id}-mistake">${wordsOf(words, mistake)}</p>`}</div>`;
  }
  const note = required ? {} : { note: words.form.optional };
  return labelled({ id, label, ...note, language: words, mistake }, (described) => {
    if (type === 'SELECT') {
      const choices = options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === given && html` selected`}>${option.label}</option>`,
      );
      return html`<select id="${id}" name="${name}"${must}${described}><option value=""></option>${choices}</select>`;
    }
    return html`<input id="${id}" name="${name}" type="${type === 'DATE' ? 'date' : 'text'}" value="${given}"${must}${described}>`;
  });
}

/** With one topic, sending the form is the statement. Nothing is ticked beforehand. */
function topicChoice(
  { topics }: ShownForm,
  words: PageTexts,
  filled: Filled,
  mistake: string | undefined,
): Html | null {
  if (topics.length < 2) return null;
  const chosen = filled['topics'] ?? [];
  const described = mistake !== undefined && html` aria-describedby="topics-mistake"`;
  const boxes = topics.map(
    ({ key, name, description }) =>
      html`<label><input type="checkbox" name="topics" value="${key}"${chosen.includes(key) && html` checked`}>
<span><bdi>${name}</bdi>${description !== null && html`<small>${description}</small>`}</span></label>`,
  );
  return html`<fieldset class="field"${described}><legend>${words.manage.topics}</legend>
<div class="checks">${boxes}</div>${mistake !== undefined && html`<p class="mistake" id="topics-mistake">${wordsOf(words, mistake)}</p>`}</fieldset>`;
}
