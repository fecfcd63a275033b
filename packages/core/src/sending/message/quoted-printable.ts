/**
 * Quoted-printable (RFC 2045 6.7) whose line breaks follow from the text around them. Apart from line ends, a line
 * is broken between `>` and an opening tag; after such a place the encoding does not depend on the text before. So a
 * message can be encoded in pieces, and pieces that all recipients share only once.
 */

const MAX_LINE = 75;
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
/** The ASCII characters that are not encoded within a line. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 9 || (code >= 32 && code < 127 && code !== 61) ? 1 : 0,
);
const [LF, CR, SPACE, TAB, LESS, GREATER] = [10, 13, 32, 9, 60, 62];

/** Encodes a text, or the part of it between two fixed places (`fixedPlaces`). */
export function encodeQuotedPrintable(text: string, start = 0, end = text.length): string {
  let out = '';
  let column = 0;
  let isWide = false;
  let at = start;
  while (at < end) {
    const runEnd = plainRunEnd(text, at, end);
    if (runEnd > at) {
      while (column + runEnd - at > MAX_LINE) {
        out += `${text.slice(at, at + MAX_LINE - column)}=\r\n`;
        at += MAX_LINE - column;
        column = 0;
      }
      out += text.slice(at, runEnd);
      column += runEnd - at;
      at = runEnd;
      if (isFixedBreak(text, at)) {
        out += '=\r\n';
        column = 0;
      }
      continue;
    }
    const code = text.charCodeAt(at);
    if (code === LF || code === CR) {
      out += '\r\n';
      column = 0;
      at += code === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    const encoded = encodeCodePoint(point);
    if (column + encoded.length > MAX_LINE) {
      out += '=\r\n';
      column = 0;
    }
    out += encoded;
    column += encoded.length;
    at += point > 0xffff ? 2 : 1;
    if (point > 0xff) isWide = true;
  }
  return isWide ? asNarrow(out) : out;
}

/**
 * The same text, stored with one byte per character. A slice of a text with wider characters keeps two bytes per
 * character, and so does every string it is joined with, which doubles the cost of composing a message.
 */
export function asNarrow(text: string): string {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

/**
 * The first and the last fixed place of a text: between them, its encoding does not depend on the surroundings. Null
 * without a fixed place.
 */
export function fixedPlaces(text: string): readonly [first: number, last: number] | null {
  let first = -1;
  for (let at = 1; at <= text.length && first === -1; at++) if (isFixedPlace(text, at)) first = at;
  if (first === -1) return null;
  let last = text.length;
  while (!isFixedPlace(text, last)) last--;
  return [first, last];
}

/** After a line feed, or between `>` and an opening tag. */
function isFixedPlace(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === LF || isFixedBreak(text, at);
}

function isFixedBreak(text: string, at: number): boolean {
  if (text.charCodeAt(at - 1) !== GREATER || text.charCodeAt(at) !== LESS) return false;
  const letter = text.charCodeAt(at + 1) | 32;
  return letter >= 97 && letter <= 122;
}

/** The end of a run of characters that are not encoded; blanks at the end of a line are encoded. */
function plainRunEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code > 126 || PLAIN[code] === 0) break;
    at++;
    if (code === GREATER && isFixedBreak(text, at)) return at;
  }
  const next = text.charCodeAt(at);
  if (at === text.length || next === LF || next === CR) {
    const last = text.charCodeAt(at - 1);
    if (at > from && (last === SPACE || last === TAB)) at--;
  }
  return at;
}

/** A non-ASCII character as its UTF-8 bytes; an unpaired surrogate as the replacement character. */
export function encodeCodePoint(code: number): string {
  const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
  if (point < 0x80) return HEX[point] ?? '';
  const tail = (shift: number): string => HEX[0x80 | ((point >> shift) & 0x3f)] ?? '';
  if (point < 0x800) return HEX[0xc0 | (point >> 6)] + tail(0);
  if (point < 0x10000) return HEX[0xe0 | (point >> 12)] + tail(6) + tail(0);
  return HEX[0xf0 | (point >> 18)] + tail(12) + tail(6) + tail(0);
}
