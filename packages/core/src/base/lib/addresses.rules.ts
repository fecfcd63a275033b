import { decodePunycode } from './punycode.rules.ts';

/** How a given address becomes the one that is stored, compared and searched (behaviour B1.1); the same in a browser and in Node. */

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets with its angle brackets. */
export const longestAddress = 254;
/** In UTF-16 units: more cannot become an address, since normalization composes at most four code points to one. */
const longestGiven = 1_024;

/** Characters that nobody sees: direction marks, fillers and selectors. */
const unseen = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0`;
/** In a domain the two joiners stay: UTS #46 knows where they belong. */
const invisibleInDomain = new RegExp(`[${unseen}]`, 'g');
const invisible = new RegExp(String.raw`[${unseen}\u200c\u200d]`, 'g');

/** What most addresses are: ASCII without an encoded label. A last label that begins with a letter is no number. */
const plain =
  /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*@(?:[\w-]{1,63}\.)+[A-Za-z][\w-]{0,62}$/;
const encodedLabel = /[@.]xn--/i;

/** Blanks, control characters, specials of RFC 5322, unpaired surrogates, and code points that another version of Unicode may fold. */
const refusedAnywhere = /[\s\p{Cc}\p{Cs}\p{Cn}<>(),;:"[\]\\@]/u;
const emptyPart = /^\.|\.$|\.\./;
/** What a URL would read as the beginning of something else, or decode. */
const refusedInDomain = /[%/?#^|]/;
const dots = /[\u3002\uff0e\uff61]/g;
/** A last label of digits, or of a hexadecimal number, makes an IP address. */
const numericEnd = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;
const longLabel = /[^.]{64}/;

/**
 * The form in which an address is stored, compared and searched: the local part composed and in lower case, the domain as A-labels, without
 * invisible characters.
 *
 * @returns null for what is no address
 */
export function normalizeAddress(given: string): string | null {
  return isPlain(given) ? given.toLowerCase() : normalizeUnusual(given);
}

/** Whether it has something to see. */
export const isBlankText = (text: string): boolean => text.replace(invisible, '').trim() === '';

/** The form before domains were A-labels: what rows and hashes of that time have. */
export const formerAddress = (given: string): string => given.trim().toLowerCase();

/** What to look for when a stored address is named, which may be one that is no longer accepted. */
export const addressSought = (given: string): string => normalizeAddress(given) ?? formerAddress(given);

const isPlain = (text: string): boolean =>
  text.length <= longestAddress && plain.test(text) && !encodedLabel.test(text);

function normalizeUnusual(given: string): string | null {
  const trimmed = given.trim();
  const at = trimmed.lastIndexOf('@');
  if (at === -1) return null;
  const text =
    `${trimmed.slice(0, at).replace(invisible, '')}@${trimmed.slice(at + 1).replace(invisibleInDomain, '')}`.trim();
  if (isPlain(text)) return text.toLowerCase();
  if (text.length > longestGiven) return null;
  const local = localPartOf(text.slice(0, text.lastIndexOf('@')));
  const domain = normalizeDomain(text.slice(text.lastIndexOf('@') + 1));
  if (local === null || domain === null) return null;
  const address = `${local}@${domain}`;
  return octetsOf(address) <= longestAddress ? address : null;
}

const octetsOf = (text: string): number => new TextEncoder().encode(text).length;

function localPartOf(given: string): string | null {
  // Composition turns some characters into refused ones, such as the Greek question mark into a semicolon.
  const local = given.normalize('NFC').toLowerCase().normalize('NFC');
  return local === '' || refusedAnywhere.test(local) || emptyPart.test(local) ? null : local;
}

/**
 * The A-labels of a domain by UTS #46, non-transitional: `ß` stays distinct from `ss`.
 *
 * @returns null for what is no domain with at least one dot, and for an address of IP
 */
export function normalizeDomain(given: string): string | null {
  const domain = given.replace(dots, '.');
  if (domain.length > longestGiven || refusedAnywhere.test(domain) || refusedInDomain.test(domain))
    return null;
  if (!domain.includes('.') || emptyPart.test(domain)) return null;
  const ascii = isAscii(domain) ? domain.toLowerCase() : fromUnicode(domain);
  if (ascii === null || ascii.length > 253 || longLabel.test(ascii) || numericEnd.test(ascii)) return null;
  return !encodedLabel.test(`@${ascii}`) || isCanonical(ascii) ? ascii : null;
}

const isAscii = (text: string): boolean => !/\P{ASCII}/u.test(text);

/** Signs that URL parsers treat differently. */
const signs = /[^a-z0-9._\-\P{ASCII}]/u;

/** Lower case and compatibility forms as UTS #46 maps them, so that a URL parser finds nothing left to compose. */
const mapped = (domain: string): string =>
  // Without its neighbours: a final sigma is a letter of its own in a domain.
  domain.normalize('NFKC').replaceAll('Σ', 'σ').toLowerCase().normalize('NFKC');

function fromUnicode(domain: string): string | null {
  const letters = mapped(domain);
  if (signs.test(letters)) return null;
  const ascii = URL.parse(`http://${letters}/`)?.hostname ?? '';
  return !isAscii(ascii) || emptyPart.test(ascii) || !ascii.includes('.') ? null : ascii;
}

/** Whether each A-label is the one that its letters have, and these are in order: URL parsers let others through, each its own. */
function isCanonical(ascii: string): boolean {
  const unicode = unicodeDomain(ascii);
  if (unicode === null || isAscii(unicode) || mapped(unicode) !== unicode) return false;
  const labels = unicode.split('.');
  const isOrdered = rightToLeft.test(unicode) ? hasOneDirection : hasBase;
  return labels.every(isOrdered) && fromUnicode(unicode) === ascii;
}

/** UTS #46, 4.1: a label does not begin with a mark. */
const hasBase = (label: string): boolean => !/^\p{M}/u.test(label);

/** RFC 5893, 2: where a domain has letters that are written from right to left, each label goes in one direction. */
const hasOneDirection = (label: string): boolean =>
  rightToLeft.test(label)
    ? rightToLeftLabel.test(label) && !(/[\u0660-\u0669]/.test(label) && /[0-9\u06f0-\u06f9]/.test(label))
    : leftToRightLabel.test(label);

/** The blocks of Unicode whose letters are written from right to left. */
const blocks = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const rightToLeft = new RegExp(blocks, 'v');
const [letter, digits] = [`[${blocks}&&\\p{L}]`, String.raw`0-9\u0660-\u0669\u06f0-\u06f9`];
/** Both begin with a letter, have none of the other direction, and end with a letter or digit and its marks. */
const rightToLeftLabel = new RegExp(
  String.raw`^${letter}(?:(?:${letter}|[\p{Mn}\u200c\u200d\-${digits}])*(?:${letter}|[${digits}])\p{Mn}*)?$`,
  'v',
);
const leftToRightLabel = /^(?!\p{Lm})\p{L}(?:[\p{L}\p{M}0-9_-]*[\p{Lo}\p{Ll}\p{Mc}0-9]\p{Mn}*)?$/u;

/**
 * A domain in its own letters.
 *
 * @returns null if a label is no A-label although it begins like one
 */
export function unicodeDomain(ascii: string): string | null {
  const labels = ascii
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label));
  return labels.includes(null) ? null : labels.join('.');
}

/**
 * The forms in which a part of an address may be stored: as typed, and, where it has letters beyond ASCII that may be those of a
 * domain, with these labels encoded.
 */
export function addressPartsSought(typed: string): string[] {
  const text = typed.replace(invisible, '').normalize('NFC').toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@') + 1;
  const labels = text.slice(at).replace(dots, '.').split('.');
  if (isAscii(text.slice(at)) || text.length > longestGiven) return [text];
  const encoded = labels.map((label) => (isAscii(label) ? label : labelOf(label)));
  return encoded.includes(null) ? [text] : [text, text.slice(0, at) + encoded.join('.')];
}

const labelOf = (label: string): string | null => normalizeDomain(`${label}.a`)?.slice(0, -2) ?? null;

/**
 * The spellings under which an earlier version has probably stored an address: with the domain in its own letters, composed and not. None for
 * most addresses, which are ASCII and had one form.
 */
export function formerSpellings(address: string): string[] {
  if (isPlain(address)) return [];
  const at = address.lastIndexOf('@') + 1;
  const letters = address.slice(0, at) + (unicodeDomain(address.slice(at)) ?? address.slice(at));
  return [...new Set([letters, letters.normalize('NFD')])].filter((spelling) => spelling !== address);
}
