/**
 * Locales as other programs report them (behaviour B2.1): those of POSIX, ICU, PHP and Java beside language tags. Blanks
 * around them do not count.
 */

/** Language, script, region, `.charset` and `@modifier`. */
const LOCALE = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:\.[\w:-]+)?(?:@([\w=;,+/-]+))?$/i;

/** RFC 5646 2.1, beginning with a language; the subtags themselves are not checked. */
const LANGUAGE_TAG =
  /^([a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i;

/** The modifiers of glibc that name a script; others, such as `euro`, say nothing about the language. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['latin', 'Latn'],
  ['iqtelif', 'Latn'],
  ['cyrillic', 'Cyrl'],
  ['devanagari', 'Deva'],
]);

/** A locale as a language tag (BCP 47), `de_DE.UTF-8` as `de-DE`; any other text as it is. */
export function asLanguageTag(text: string): string {
  const parts = LOCALE.exec(text.trim());
  if (!parts) return text;
  const [, language = '', given, region = '', modifier = ''] = parts;
  const script = given ?? SCRIPTS.get(modifier.toLowerCase()) ?? '';
  const subtags = [language.toLowerCase(), capitalized(script), region.toUpperCase()];
  return subtags.filter((subtag) => subtag !== '').join('-');
}

/** The language of a locale in lower case; null for a text that names none, such as `C` and `POSIX`. */
export function languageOf(text: string): string | null {
  const locale = text.trim();
  const [, language] = LOCALE.exec(locale) ?? LANGUAGE_TAG.exec(locale) ?? [];
  return language?.toLowerCase() ?? null;
}

const capitalized = (script: string): string =>
  script.slice(0, 1).toUpperCase() + script.slice(1).toLowerCase();
