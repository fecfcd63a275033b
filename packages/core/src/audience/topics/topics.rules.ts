import { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from '../../base/lib/mail-languages.ts';
import { generalTopic } from '../consent/topics.rules.ts';

/** A text in some of the languages of recipients, at least one. */
export type Texts = { readonly [Language in MailLanguage]?: string | undefined };

/** The topic that each project has: marketing email that names no topic belongs to it. */
export const generalKey = generalTopic.key;
/** Its number, in every project. */
export const generalNumber = generalTopic.number;

/** All topics of a project, archived ones and `general` included. */
export const mostTopics = 50;

/** What a topic's key looks like; it never changes. */
export const topicKeyForm = /^[a-z0-9][a-z0-9_-]{0,49}$/;

/** A text in the language of a recipient, else in that of the project, else in the first that it has. */
export function textIn(texts: Texts, ...languages: readonly (string | null | undefined)[]): string {
  for (const language of languages) {
    const text = language ? texts[selectLanguage(language)] : undefined;
    if (text !== undefined) return text;
  }
  const first = MAIL_LANGUAGES.find((language) => texts[language] !== undefined);
  return (first && texts[first]) ?? '';
}
