/**
 * Quoted-printable (RFC 2045 6.7) with LF, CR and CRLF as line ends. No line begins with a dot, so SMTP need not
 * stuff any, and none ends in a blank.
 */

/** The most characters before a soft line break. */
export const MAX_LINE = 75;
/** A line break that decoding removes. */
export const SOFT_BREAK = '=\r\n';
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
/** The ASCII characters that are not encoded within a line. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 9 || (code >= 32 && code < 127 && code !== 61) ? 1 : 0,
);
const [LF, CR, SPACE, TAB, DOT] = [10, 13, 32, 9, 46];

export function encodeQuotedPrintable(text: string): string {
  const writer = new QuotedPrintableWriter();
  writer.write(text);
  return writer.out;
}

/** Encodes a text in pieces. */
export class QuotedPrintableWriter {
  out = '';
  private column = 0;

  /** `isLast`: a line end or the end of the text follows, so that a blank at the end is encoded. */
  write(text: string, isLast = true): void {
    const end = text.length;
    let isWide = false;
    let at = 0;
    while (at < end) {
      const runEnd = plainRunEnd(text, { from: at, to: Math.min(end, at + MAX_LINE - this.column), isLast });
      if (this.column === 0 && text.charCodeAt(at) === DOT) {
        this.add(HEX[DOT] ?? '');
        at++;
      } else if (runEnd > at) {
        this.add(text.slice(at, runEnd));
        at = runEnd;
      } else {
        const code = text.codePointAt(at) ?? 0;
        if (code === LF || code === CR) {
          this.out += '\r\n';
          this.column = 0;
          at += code === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
        } else if (this.column === MAX_LINE) {
          this.breakSoftly();
        } else {
          const encoded = encodeCodePoint(code);
          this.reserve(encoded.length);
          this.add(encoded);
          at += code > 0xffff ? 2 : 1;
          if (code > 0xff) isWide = true;
        }
      }
    }
    if (isWide) this.out = asNarrow(this.out);
  }

  /** Makes room on the line for this number of characters that need no encoding. */
  reserve(length: number): void {
    if (this.column + length > MAX_LINE) this.breakSoftly();
  }

  /** Counts characters on the line that are written elsewhere. */
  skip(length: number): void {
    this.column += length;
  }

  /** The next character begins a line. */
  beginLine(): void {
    if (this.column > 0) this.breakSoftly();
  }

  private breakSoftly(): void {
    this.out += SOFT_BREAK;
    this.column = 0;
  }

  private add(encoded: string): void {
    this.out += encoded;
    this.column += encoded.length;
  }
}

/**
 * The same text, stored with one byte per character. A slice of a text with wider characters keeps two bytes per
 * character, and so does every string it is joined with, which doubles the cost of composing a message.
 */
export function asNarrow(text: string): string {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

/** The end of a run of characters that are not encoded; blanks at the end of a line are encoded. */
function plainRunEnd(
  text: string,
  { from, to, isLast }: { from: number; to: number; isLast: boolean },
): number {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code > 126 || PLAIN[code] === 0) break;
    at++;
  }
  if (at === from) return at;
  const last = text.charCodeAt(at - 1);
  if (last !== SPACE && last !== TAB) return at;
  const next = text.charCodeAt(at);
  const isLineEnd = at === text.length ? isLast : next === LF || next === CR;
  return isLineEnd ? at - 1 : at;
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
