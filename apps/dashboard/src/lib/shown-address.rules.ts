import { unicodeDomain } from '@postrider/core/base/kernel/contract';

const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
];

/** Digits and hyphens belong to every script, the mark of long vowels to both kana. */
const madeOf = (names: readonly string[]): RegExp =>
  new RegExp(`^[0-9\\-${names.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]+$`, 'u');
const kana = ['Hiragana', 'Katakana'];
const usual = [
  ...scripts.map((name) => [name]),
  kana,
  ['Han', ...kana, 'Latin'],
  ['Han', 'Hangul', 'Latin'],
  ['Han', 'Bopomofo', 'Latin'],
];
const patterns = usual.map(madeOf);
/** A mixture without Han looks like a word of one of its scripts. */
const isMixedWithoutHan = (label: string): boolean =>
  /\p{Script=Latin}/u.test(label) &&
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u.test(label) &&
  !/\p{Script=Han}/u.test(label);

const isOfOneScript = (label: string): boolean =>
  !isMixedWithoutHan(label) && patterns.some((pattern) => pattern.test(label));

/**
 * An address as people read it: the domain in its own letters if each label is of one script, or of Han with kana, hangul or Latin;
 * otherwise as it is stored, because letters of several scripts can imitate another domain.
 */
export function shownAddress(address: string): string {
  if (!address.includes('xn--')) return address;
  const at = address.lastIndexOf('@') + 1;
  const domain = unicodeDomain(address.slice(at));
  return domain?.split('.').every((label) => /^[\w-]+$/.test(label) || isOfOneScript(label))
    ? address.slice(0, at) + domain
    : address;
}
