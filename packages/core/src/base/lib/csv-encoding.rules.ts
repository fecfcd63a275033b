/** The text of a CSV file from its bytes, in a server and in a browser. */

/** What a file may be encoded in; `auto` is UTF-8, or what a byte order mark says. */
export const csvEncodings = [
  'auto',
  'utf-8',
  'utf-16',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'shift_jis',
  'euc-kr',
  'gb18030',
  'big5',
] as const;
export type CsvEncoding = (typeof csvEncodings)[number];

/** Bytes that are not text in the encoding of the file. */
export class UndecodableText extends Error {}

/** So few that a piece is read within milliseconds, whatever is in it. */
const pieceBytes = 16 * 1024;

interface ByteOrderMark {
  label: 'utf-8' | 'utf-16le' | 'utf-16be';
  bytes: readonly number[];
}

const marks: readonly ByteOrderMark[] = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** A byte order mark takes precedence over what was chosen, as in the Encoding Standard of WHATWG. */
const markOf = (bytes: Uint8Array): ByteOrderMark | undefined =>
  marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));

/** The encoding that a file is read in, as one of `csvEncodings`. */
export function encodingOf(bytes: Uint8Array, chosen: CsvEncoding): Exclude<CsvEncoding, 'auto'> {
  const mark = markOf(bytes);
  if (mark) return mark.label === 'utf-8' ? 'utf-8' : 'utf-16';
  return chosen === 'auto' ? 'utf-8' : chosen;
}

/**
 * The text of a file, in pieces, without its byte order mark.
 *
 * @param isWhole the bytes are not cut off, so that half a character at their end is an error
 * @throws UndecodableText
 */
export function* decodeCsv(bytes: Uint8Array, chosen: CsvEncoding, isWhole = true): Generator<string> {
  const mark = markOf(bytes);
  const encoding = encodingOf(bytes, chosen);
  const label = mark?.label ?? (encoding === 'utf-16' ? 'utf-16le' : encoding);
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const start = mark?.bytes.length ?? 0;
  try {
    for (let at = start; at < bytes.length; at += pieceBytes)
      yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
    if (isWhole) yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UndecodableText(encoding);
  }
}

/** Letters that texts in these encodings have most often, besides those of ASCII. */
const usual: readonly (readonly [Exclude<CsvEncoding, 'auto' | 'utf-8' | 'utf-16'>, RegExp])[] = [
  ['windows-1252', /[äöüßÄÖÜéèêëàâáãåæçíìîïñóòôõøúùûœ€’“”–É]/g],
  // Its letters are lower-case ones of the next: only a text without capitals reads as both.
  ['windows-1255', /[\u05d0-\u05ea]/g],
  ['windows-1251', /[а-яёіїєґ]/g],
  ['windows-1250', /[ąćęłńóśźżčďěňřšťůžýáéíúäöüßőűâîășț]/g],
  ['windows-1253', /[α-ωάέήίόύώ]/g],
  ['windows-1254', /[ğışçöüİŞ]/g],
  ['windows-1256', /[\u0621-\u064a]/g],
  ['windows-1257', /[āčēģīķļņšūžąęėįųõäöü]/g],
  ['koi8-r', /[а-яё]/g],
  ['macintosh', /[äöüßéèêëàâáãåçíìîïñóòôõøúùû]/g],
  ['shift_jis', /[\u3040-\u30ff]|[\u4e00-\u9fa5](?=[\u3040-\u30ff\u4e00-\u9fa5])/g],
  ['euc-kr', /[\uac00-\ud7a3]/g],
  ['big5', /[\u4e00-\u9fa5]/g],
  ['gb18030', /[\u4e00-\u9fa5]/g],
];

/** Letters of these stand among those of ASCII, those of others next to one another. */
const latin: ReadonlySet<string> = new Set([
  'windows-1250',
  'windows-1252',
  'windows-1254',
  'windows-1257',
  'macintosh',
]);

/** The part of the bytes beyond ASCII that have two such neighbours on either side, or one on both. */
function shareInRuns(bytes: Uint8Array): number {
  let [all, inRuns, run] = [0, 0, 0];
  for (let at = 0; at <= bytes.length; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) run += 1;
    else {
      all += run;
      if (run > 2) inRuns += run;
      run = 0;
    }
  }
  return all === 0 ? 0 : inRuns / all;
}

/** Only the beginning is counted. */
const countedBytes = 256 * 1024;

/**
 * The encoding in which most of the characters beyond ASCII are letters that its languages use: a proposal, which somebody who sees the
 * letters confirms. Null for ASCII and UTF-8.
 */
export function likelyEncoding(bytes: Uint8Array): CsvEncoding | null {
  const head = bytes.subarray(0, countedBytes);
  if (markOf(head)) return null;
  if (textIn(head, 'utf-8') !== null) return null;
  let zeros = 0;
  for (const byte of head) if (byte === 0) zeros += 1;
  if (zeros > head.length / 4) return 'utf-16';
  const inRuns = shareInRuns(head);
  let best: { encoding: CsvEncoding; share: number } = { encoding: 'windows-1252', share: 0 };
  for (const [encoding, letters] of usual) {
    const text = textIn(head, encoding);
    if (text === null) continue;
    const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0;
    if (foreign === 0) continue;
    const likely = latin.has(encoding) ? 1 - inRuns / 2 : 0.5 + inRuns / 2;
    const share = (likely * (text.match(letters)?.length ?? 0)) / foreign;
    if (share > best.share) best = { encoding, share };
  }
  return best.encoding;
}

/** Null for bytes that are not text in this encoding; half a character at the end of the bytes is. */
function textIn(bytes: Uint8Array, encoding: CsvEncoding): string | null {
  try {
    return [...decodeCsv(bytes, encoding, false)].join('');
  } catch (error) {
    if (error instanceof UndecodableText) return null;
    throw error;
  }
}
