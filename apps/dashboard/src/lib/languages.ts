import { mailLanguage } from '@postrider/core/base/kernel/contract';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** The English name of a language, such as `German` for `de`. */
export const languageName = (code: string): string => names.of(code) ?? code;

/** The languages available for texts to people, by name. */
export const languages = mailLanguage.options.toSorted((a, b) =>
  languageName(a).localeCompare(languageName(b)),
);
