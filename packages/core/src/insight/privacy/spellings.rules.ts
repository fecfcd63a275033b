import { formerSpellings } from '../../base/kernel/fields.ts';

/** How an address can stand in stored texts, and how PostgreSQL finds it there. */
export interface Spellings {
  /** as addresses are stored: in the normal form, and as earlier versions stored it */
  addresses: string[];
  /** for LIKE, in lower case: whether it may be in a text at all */
  likes: string[];
  /** an advanced regular expression of PostgreSQL, for matching in any case: the address itself, not the end or beginning of a longer one */
  inText: string;
  /** the same in the text of JSON, where a line may end with a letter before the address */
  inJson: string;
  /** the same in bytes, as `encode(…, 'escape')` writes them, also where each letter takes two bytes */
  inBytes: string;
}

/** Characters without a special meaning in the expressions; in bytes, `\` and what is not ASCII are written in octal. */
const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9\u0080-\u{10ffff}]/gu, '\\$&');
const likeOf = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/** As `encode(bytes, 'escape')` writes UTF-8. */
const escapedBytes = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x80
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : byte === 0x5c
          ? '\\\\'
          : String.fromCharCode(byte),
    )
    .join('');

/** Two bytes for each letter, as spreadsheets write files. */
const widened = (text: string): string => [...text].join('\\000');

const isNotBefore = '(?![[:alnum:]_-]|\\.[[:alnum:]])';
const isNotAfter = '(?<![[:alnum:]._%+-])';
/** A line feed or another control character, as JSON writes it. */
const isAfterEscape = '(?<=\\\\[bfnrt])';
/** The second byte of the letter before. */
const isAfterNull = '(?<=\\\\000)';

const oneOf = (texts: readonly string[]): string => `(?:${texts.map(escaped).join('|')})`;

/** @param address in its normal form */
export function spellingsOf(address: string): Spellings {
  const addresses = [...new Set([address, ...formerSpellings(address)])];
  const inTexts = [
    ...new Set(addresses.flatMap((one) => [one, one.replace('@', '%40'), encodeURIComponent(one)])),
  ];
  const inBytes = [...new Set(inTexts.flatMap((one) => [escapedBytes(one), widened(one)]))];
  return {
    addresses,
    likes: [...new Set([...inTexts, ...inBytes])].map(likeOf),
    inText: `${isNotAfter}${oneOf(inTexts)}${isNotBefore}`,
    inJson: `(?:${isNotAfter}|${isAfterEscape})${oneOf(inTexts)}${isNotBefore}`,
    inBytes: `(?:${isNotAfter}|${isAfterEscape}|${isAfterNull})${oneOf(inBytes)}${isNotBefore}`,
  };
}
