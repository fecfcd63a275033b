/** Names that people give: of records, of keys of `data`, and of events (behaviour B1.1). */

/** Characters that nobody sees. Joiners and variation selectors stay: emoji and Indic letters need them. */
const characters = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0`;
const unseen = new RegExp(`[${characters}]`, 'g');
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** A name as it is stored: composed (NFC), trimmed, and without characters that nobody sees, so that what looks alike is one name. */
export const nameText = (given: string): string =>
  plain.test(given) ? given : given.replace(unseen, '').normalize('NFC').trim();

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);

/**
 * What two names have in common that differ only in case, width, blanks, `_`, `-`, `.` and unseen characters. They are different names, but
 * one is probably meant as the other.
 */
export const nameLikeness = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(unseen, '')
    .replace(/[\s_.-]/g, '')
    .normalize('NFC');
