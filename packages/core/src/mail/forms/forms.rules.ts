import { MAIL_LANGUAGES, type MailLanguage } from '../../base/lib/mail-languages.ts';

/** Sign-up forms and subscription requests (behaviour B12.5, B12.6). */

export const mostForms = 100;
export const mostFields = 10;
export const mostOptions = 50;
export const mostOrigins = 20;

/** For how long a request can be confirmed, in milliseconds. */
export const confirmableMs = 7 * 24 * 3_600_000;
/** Without an email to somebody who said that the request was not theirs. */
export const declinedDays = 90;
/** Between two requests to somebody who opted out, made by a program. */
export const optedOutDays = 30;

/** Emails that forms and requests cause to one address. */
export const addressLimits = {
  hour: { most: 1, seconds: 3_600 },
  day: { most: 3, seconds: 86_400 },
  installation: { most: 10, seconds: 86_400 },
} as const;

/** Submissions of one client network. */
export const networkLimits = {
  project: { most: 20, seconds: 600 },
  installation: { most: 200, seconds: 86_400 },
} as const;

/** When a form is guarded: of at least so many requests of that age, fewer than this share are confirmed. */
export const guardRule = { requests: 50, fromMinutes: 15, toMinutes: 75, share: 0.1 } as const;

/** What forms say of themselves by language, in the languages in which they are shown. */
type Texts = { readonly [Language in MailLanguage]?: string | undefined };

/** The languages of a form: those of its title. */
export const languagesOf = (title: Texts): MailLanguage[] =>
  MAIL_LANGUAGES.filter((language) => title[language] !== undefined);

/** Where the first text of a form that lacks a language is missing one; null if none does. */
export function missingLanguage(
  { title, consentText }: { title: Texts; consentText: Texts },
  language: MailLanguage,
): { field: 'title' | 'consentText'; language: MailLanguage } | null {
  if (title[language] === undefined) return { field: 'title', language };
  const missing = languagesOf(title).find((each) => consentText[each] === undefined);
  return missing === undefined ? null : { field: 'consentText', language: missing };
}

/** A language that a visitor asks for, if the form has it; else that of the form. */
export function shownLanguage(
  form: { title: Texts; language: MailLanguage },
  wished: readonly (MailLanguage | null)[],
): MailLanguage {
  const known = languagesOf(form.title);
  return wished.find((each) => each !== null && known.includes(each)) ?? form.language;
}

/** The limit by which the leaders of a project are told once a day that no more requests are taken. */
export const unconfirmedNotice = 'notice';
