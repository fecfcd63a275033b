import { languageOf } from './locales.rules.ts';

/** The languages of texts for recipients, and of the emails of the platform. */
export const MAIL_LANGUAGES = ['en', 'nl', 'fr', 'de', 'es', 'it', 'pt', 'pl', 'hi', 'ja', 'zh'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The supported language of a locale in any form, ignoring its region (`pt-BR` is `pt`). */
function supportedLanguage(locale: unknown): MailLanguage | undefined {
  if (typeof locale !== 'string') return undefined;
  const code = languageOf(locale);
  return MAIL_LANGUAGES.find((language) => language === code);
}

/** The first supported choice; else English. */
export function selectLanguage(...choices: readonly unknown[]): MailLanguage {
  for (const choice of choices) {
    const found = supportedLanguage(choice);
    if (found) return found;
  }
  return 'en';
}

/** The supported languages that an `Accept-Language` header (RFC 9110, 12.5.4) asks for, best first. */
export function acceptedLanguages(header: string | undefined): MailLanguage[] {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter));
    return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  // Sorting is stable: of equal weights, the first one counts. A weight of 0 means "not acceptable".
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return [...new Set(accepted.flatMap(({ tag }) => supportedLanguage(tag) ?? []))];
}

/** The one that it prefers; English without one. */
export const acceptedLanguage = (header: string | undefined): MailLanguage =>
  acceptedLanguages(header)[0] ?? 'en';
