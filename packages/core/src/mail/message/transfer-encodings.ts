import { MAX_LINE } from './quoted-printable.ts';

const [TAB, LF, CR, SPACE, DOT, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');
/** The value of each hexadecimal digit by its character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
/** RFC 2045 6.8: a line of base64 has at most 76 characters. */
const BASE64_LINE = 76;
/** Most bytes that one byte becomes: three, and its share of a soft line break after 25 of them. */
const GROWTH = 3.2;

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** Text in quoted-printable (RFC 2045 6.7), byte by byte, so that it keeps its charset. Its line ends stay, a CR or LF alone is encoded. */
export function quotedPrintableOf(text: Buffer): Buffer {
  const out = Buffer.allocUnsafe(Math.ceil(text.length * GROWTH) + 16);
  const { length } = text;
  let to = 0;
  let column = 0;
  let at = 0;
  while (at < length) {
    const byte = text[at] ?? 0;
    if (byte === CR && text[at + 1] === LF) {
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
      at += 2;
      continue;
    }
    const isPlain = isPlainIn(text, at, byte);
    if (column + (isPlain ? 1 : 3) > MAX_LINE) {
      out[to++] = EQUALS;
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
    }
    // A line that begins with a dot would be stuffed.
    if (isPlain && !(column === 0 && byte === DOT)) {
      out[to++] = byte;
      column += 1;
    } else {
      out[to++] = EQUALS;
      out[to++] = HEX[byte >> 4] ?? 0;
      out[to++] = HEX[byte & 15] ?? 0;
      column += 3;
    }
    at += 1;
  }
  return out.subarray(0, to);
}

/** A blank at the end of a line is encoded. */
function isPlainIn(text: Buffer, at: number, byte: number): boolean {
  if (!isBlank(byte)) return byte > SPACE && byte < 0x7f && byte !== EQUALS;
  const next = at + 1;
  return next < text.length && !(text[next] === CR && text[next + 1] === LF);
}

/** Decodes quoted-printable; what is not encoded correctly stays as it is (RFC 2045 6.7). */
export function fromQuotedPrintable(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  const { length } = body;
  let to = 0;
  let at = 0;
  while (at < length) {
    const byte = body[at] ?? 0;
    const high = DIGITS[body[at + 1] ?? 0] ?? -1;
    const low = DIGITS[body[at + 2] ?? 0] ?? -1;
    if (byte === EQUALS && high >= 0 && low >= 0) {
      out[to++] = high * 16 + low;
      at += 3;
    } else if (byte === EQUALS || isBlank(byte)) {
      const from = byte === EQUALS ? at + 1 : at;
      const end = blanksEnd(body, from);
      const endsLine = body[end] === CR && body[end + 1] === LF;
      if (byte === EQUALS) out[to] = EQUALS;
      if (byte === EQUALS && endsLine) at = end + 2;
      else {
        if (byte === EQUALS) to += 1;
        // Blanks at the end of a line were added on the way.
        if (!endsLine && end < length) to += body.copy(out, to, from, end);
        at = end;
      }
    } else {
      out[to++] = byte;
      at += 1;
    }
  }
  return out.subarray(0, to);
}

function blanksEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (isBlank(bytes[end])) end += 1;
  return end;
}

/** Bytes in base64, in lines of 76 characters. */
export const base64Of = (bytes: Buffer): Buffer => inLines(Buffer.from(bytes.toString('base64'), 'latin1'));

/** The same base64 in lines of 76 characters; what readers ignore is left out (RFC 2045 6.8). */
export function base64InLines(body: Buffer): Buffer {
  const letters = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (const byte of body) if (byte > SPACE && byte < 0x7f) letters[length++] = byte;
  return inLines(letters.subarray(0, length));
}

function inLines(letters: Buffer): Buffer {
  const breaks = Math.max(0, Math.ceil(letters.length / BASE64_LINE) - 1);
  const out = Buffer.allocUnsafe(letters.length + breaks * 2);
  let to = 0;
  for (let from = 0; from < letters.length; from += BASE64_LINE) {
    if (from > 0) {
      out[to++] = CR;
      out[to++] = LF;
    }
    to += letters.copy(out, to, from, from + BASE64_LINE);
  }
  return out;
}
