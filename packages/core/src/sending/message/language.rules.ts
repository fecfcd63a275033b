/** The languages of texts for recipients. */
export const MAIL_LANGUAGES = ['en', 'nl', 'fr', 'de', 'es', 'it', 'pt', 'pl', 'hi', 'ja', 'zh'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The first supported choice, ignoring its region (`pt-BR` is `pt`); else English. */
export function selectLanguage(...choices: readonly unknown[]): MailLanguage {
  for (const choice of choices) {
    if (typeof choice !== 'string') continue;
    const code = choice.split(/[-_]/, 1)[0]?.trim().toLowerCase();
    const found = MAIL_LANGUAGES.find((language) => language === code);
    if (found) return found;
  }
  return 'en';
}
