import { describe, expect, it } from 'vitest';
import { asLanguageTag, languageOf } from './locales.rules.ts';

/** Program, what it writes, what is stored, and its language. */
const spellings: readonly [string, string, string, string | null][] = [
  ['browser', 'en', 'en', 'en'],
  ['browser', 'en-GB', 'en-GB', 'en'],
  ['browser', 'es-419', 'es-419', 'es'],
  ['browser', 'zh-Hans', 'zh-Hans', 'zh'],
  ['browser', 'DE-de', 'de-DE', 'de'],
  ['PHP setlocale', 'de_DE.UTF-8', 'de-DE', 'de'],
  ['PHP setlocale', 'nl_NL.utf8', 'nl-NL', 'nl'],
  ['PHP setlocale', 'de_DE@euro', 'de-DE', 'de'],
  ['PHP setlocale', 'LC_CTYPE=C.UTF-8;LC_TIME=de_DE', 'LC_CTYPE=C.UTF-8;LC_TIME=de_DE', null],
  ['PHP intl', 'zh_Hant_TW', 'zh-Hant-TW', 'zh'],
  ['PHP intl', 'zh_hant_tw', 'zh-Hant-TW', 'zh'],
  ['PHP intl', 'de_DE@collation=phonebook;currency=EUR', 'de-DE', 'de'],
  ['Java', 'pt_BR', 'pt-BR', 'pt'],
  ['Java', 'iw_IL', 'iw-IL', 'iw'],
  ['Java', 'zh_CN_#Hans', 'zh_CN_#Hans', null],
  ['Java', 'ja_JP_JP_#u-ca-japanese', 'ja_JP_JP_#u-ca-japanese', null],
  ['Facebook', 'en_US', 'en-US', 'en'],
  ['Facebook', 'es_LA', 'es-LA', 'es'],
  ['Facebook', 'en_UD', 'en-UD', 'en'],
  ['Facebook', 'fb_LT', 'fb-LT', 'fb'],
  ['Android', 'fil_PH', 'fil-PH', 'fil'],
  ['Android', 'zh-Hans-CN', 'zh-Hans-CN', 'zh'],
  ['Android', 'b+sr+Latn', 'b+sr+Latn', null],
  ['Android', 'en-rUS', 'en-rUS', 'en'],
  ['Android', 'en-US-u-mu-celsius', 'en-US-u-mu-celsius', 'en'],
  ['iOS', 'zh-Hant-HK', 'zh-Hant-HK', 'zh'],
  ['iOS', 'zh-Hans_CN', 'zh-Hans-CN', 'zh'],
  ['iOS', 'en_US@rg=gbzzzz', 'en-US', 'en'],
  ['iOS', 'de_DE@calendar=gregorian', 'de-DE', 'de'],
  ['iOS', 'en_US_POSIX', 'en_US_POSIX', null],
  ['Windows', 'sr-Latn-RS', 'sr-Latn-RS', 'sr'],
  ['Windows', 'zh-CHS', 'zh-CHS', 'zh'],
  ['Windows', 'de-DE_phoneb', 'de-DE_phoneb', null],
  ['Windows', 'German_Germany.1252', 'German_Germany.1252', null],
  ['Windows', 'English (United States)', 'English (United States)', null],
  ['Windows', '0x0409', '0x0409', null],
  ['Windows', '1031', '1031', null],
  ['glibc', 'fr_FR.ISO-8859-15@euro', 'fr-FR', 'fr'],
  ['glibc', 'sr_RS@latin', 'sr-Latn-RS', 'sr'],
  ['glibc', 'sr_RS.UTF-8@latin', 'sr-Latn-RS', 'sr'],
  ['glibc', 'uz_UZ@cyrillic', 'uz-Cyrl-UZ', 'uz'],
  ['glibc', 'sd_IN@devanagari', 'sd-Deva-IN', 'sd'],
  ['glibc', 'tt_RU@iqtelif', 'tt-Latn-RU', 'tt'],
  ['glibc', 'ca_ES@valencia', 'ca-ES', 'ca'],
  ['glibc', 'en@quot', 'en', 'en'],
  ['glibc', 'ja_JP.eucJP', 'ja-JP', 'ja'],
  ['glibc', 'C', 'C', null],
  ['glibc', 'C.UTF-8', 'C.UTF-8', null],
  ['glibc', 'POSIX', 'POSIX', null],
  ['Solaris', 'it_IT.ISO8859-1', 'it-IT', 'it'],
  ['RFC 5646', 'de-CH-1996', 'de-CH-1996', 'de'],
  ['RFC 5646', 'sl-rozaj-biske', 'sl-rozaj-biske', 'sl'],
  ['RFC 5646', 'en-x-twain', 'en-x-twain', 'en'],
  ['RFC 5646', 'i-klingon', 'i-klingon', null],
  ['a spreadsheet', ' pl_PL ', 'pl-PL', 'pl'],
  ['a person', 'Deutsch', 'Deutsch', null],
  ['a person', 'english please', 'english please', null],
  ['a person', 'it works', 'it works', null],
  ['a person', 'it-does-not', 'it-does-not', null],
  ['a person', 'de@mail.example', 'de@mail.example', null],
  ['a form', 'en,de', 'en,de', null],
  ['a form', 'en_', 'en_', null],
  ['a form', '-', '-', null],
  ['a form', 'undefined', 'undefined', null],
];

describe('locales of other programs', () => {
  it.each(spellings)('%s: %j', (_program, text, stored, language) => {
    expect([asLanguageTag(text), languageOf(text)]).toEqual([stored, language]);
    // What is stored says the same, and is not changed when it comes back.
    expect([asLanguageTag(stored), languageOf(stored)]).toEqual([stored, language]);
  });

  it('what another spelling becomes is a tag that browsers understand', () => {
    const read = spellings.filter(([, text, stored]) => stored !== text);
    expect(read.length).toBeGreaterThan(20);
    for (const [, , stored, language] of read) expect(stored).toMatch(new RegExp(`^${language}\\b`));
    expect(() => Intl.getCanonicalLocales(read.map(([, , stored]) => stored))).not.toThrow();
  });
});
