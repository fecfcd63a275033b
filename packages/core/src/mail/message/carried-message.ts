import { isAscii } from 'node:buffer';
import { withoutBlanksAtEnd } from './header-fields.ts';
import {
  decodeTransfer,
  type EntityHeader,
  isSealedType,
  messageLimits,
  readEntity,
  splitAt,
} from './message-parts.ts';
import { base64InLines, base64Of, quotedPrintableOf } from './transfer-encodings.ts';

/** RFC 5321 4.5.3.1.6: servers have to take 1,000 octets with the line end. */
const MOST_OCTETS = 998;
const CRLF = '\r\n';
const LF = 0x0a;
/** Encodings that leave the bytes as they are (RFC 2045 6.2). */
const IDENTITY = new Set(['', '7bit', '8bit', 'binary']);
/** Messages within a message: of these the parts are encoded, as the whole must not be (RFC 2046 5.2.1, RFC 6532 3.7). */
const MESSAGE_TYPES = new Set(['message/rfc822', 'message/global']);
const ENCODING_FIELD = /^content-transfer-encoding[ \t]*:/i;
const VERSION_FIELD = /^mime-version[ \t]*:/i;

/** Why a message cannot be carried by every server. The text is for its sender. */
export class CannotBeCarried extends Error {}

/**
 * The message with lines of at most 998 octets, which every server has to carry; others are broken by servers on the way, after the message
 * was signed. A part with a longer line is encoded again, a longer line of a header is folded at blanks. Everything else stays byte for byte.
 *
 * @param message its lines end with CRLF
 * @throws CannotBeCarried when a longer line is signed, or can neither be encoded nor folded
 */
export function withShortLines(message: Buffer): Buffer {
  const lines = longLines(message);
  if (lines.length === 0) return message;
  const carried = rewritten(message, {
    what: 'a line of more than 998 octets',
    isAffected: (start, end) => hasBetween(lines, start, end),
    sealed: 'A signed part has a line of more than 998 octets',
  });
  if (longLines(carried).length > 0)
    throw new CannotBeCarried('A line of more than 998 octets belongs to no part');
  return carried;
}

/**
 * The message in 7-bit, for a server without 8BITMIME (RFC 6152): parts that are not ASCII are encoded again.
 *
 * @throws CannotBeCarried when such a part is signed, or such bytes are in the header of a part
 */
export function asSevenBit(message: Buffer): Buffer {
  const refusal = 'The mail server does not take 8-bit messages';
  return rewritten(message, {
    what: null,
    isAffected: (start, end) => !isAscii(message.subarray(start, end)),
    sealed: refusal,
  });
}

/** What is changed about a message. */
interface Change {
  /** what no server has to carry, for texts; null for 8-bit bytes */
  readonly what: string | null;
  isAffected(start: number, end: number): boolean;
  /** why a signed part that is affected cannot be sent */
  readonly sealed: string;
}

function rewritten(message: Buffer, change: Change): Buffer {
  const writer = new MessageWriter(message, change);
  writer.entity({ start: 0, end: message.length, depth: 0, isSealed: false, isMessage: true });
  return Buffer.concat(writer.pieces);
}

/** The places at which lines begin that are too long, in order. Each step goes over as many lines as fit into the limit. */
function longLines(message: Buffer): number[] {
  const found: number[] = [];
  let start = 0;
  while (message.length - start > MOST_OCTETS) {
    // A line that fits ends, with its CRLF, within this many octets.
    const last = message.lastIndexOf(LF, start + MOST_OCTETS + 1);
    if (last >= start) start = last + 1;
    else {
      const next = message.indexOf(LF, start);
      if ((next === -1 ? message.length : next - 1) - start > MOST_OCTETS) found.push(start);
      if (next === -1) break;
      start = next + 1;
    }
  }
  return found;
}

/** Whether a sorted list has a place from `start` to before `end`. */
function hasBetween(places: readonly number[], start: number, end: number): boolean {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found = places[low];
  return found !== undefined && found < end;
}

interface Entity {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly isSealed: boolean;
  /** a message, not a part of one */
  readonly isMessage: boolean;
}

class MessageWriter {
  readonly pieces: Buffer[] = [];
  readonly #message: Buffer;
  readonly #change: Change;
  #parts = 0;

  constructor(message: Buffer, change: Change) {
    this.#message = message;
    this.#change = change;
  }

  entity(entity: Entity): void {
    const { start, end, depth, isSealed } = entity;
    if (!this.#change.isAffected(start, end)) {
      this.#keep(start, end);
      return;
    }
    if (isSealed) throw new CannotBeCarried(this.#change.sealed);
    const header = readEntity(this.#message, entity);
    this.#parts += 1;
    if (header.isCut || depth > messageLimits.depth || this.#parts > messageLimits.parts)
      throw this.#refusal('is too deep within the message, or among too many parts, to be encoded');
    const isBodyAffected = this.#change.isAffected(header.bodyStart, end);
    const inner = { start: header.bodyStart, end, depth: depth + 1, isMessage: true };
    if (isSealedType(header.type)) {
      this.#header(entity, header, null);
      this.entity({ ...inner, isSealed: true });
    } else if (header.boundary !== null) {
      this.#header(entity, header, this.#compositeEncoding(header));
      this.#multipart(entity, header.bodyStart, header.boundary);
    } else if (MESSAGE_TYPES.has(header.type) && IDENTITY.has(header.encoding)) {
      this.#header(entity, header, this.#compositeEncoding(header));
      this.entity({ ...inner, isSealed: false });
    } else if (isBodyAffected) this.#encode(entity, header);
    else {
      this.#header(entity, header, null);
      this.#keep(header.bodyStart, end);
    }
  }

  #keep(start: number, end: number): void {
    this.pieces.push(this.#message.subarray(start, end));
  }

  #refusal(why: string): CannotBeCarried {
    return new CannotBeCarried(
      this.#change.what === null ? this.#change.sealed : `A part with ${this.#change.what} ${why}`,
    );
  }

  /** What holds other parts is as wide as the widest of them, which is now 7-bit (RFC 2045 6.4). */
  #compositeEncoding({ encoding }: EntityHeader): string | null {
    return this.#change.what === null && /^(8bit|binary)$/.test(encoding) ? '7bit' : null;
  }

  #multipart({ end, depth }: Entity, bodyStart: number, boundary: string): void {
    let from = bodyStart;
    let isFirst = true;
    for (const part of splitAt(this.#message, boundary, bodyStart, end)) {
      this.#between(from, part.start, `${isFirst ? '' : CRLF}--${boundary}${CRLF}`);
      this.entity({ ...part, depth: depth + 1, isSealed: false, isMessage: false });
      from = part.end;
      isFirst = false;
    }
    if (isFirst) throw this.#refusal('cannot be encoded');
    this.#between(from, end, `${CRLF}--${boundary}--${CRLF}`);
  }

  /** The delimiter between two parts. What stands before the first and after the last part is shown by no reader (RFC 2046 5.1.1). */
  #between(start: number, end: number, delimiter: string): void {
    if (this.#change.isAffected(start, end)) this.pieces.push(Buffer.from(delimiter, 'latin1'));
    else this.#keep(start, end);
  }

  #encode(entity: Entity, header: EntityHeader): void {
    const body = this.#message.subarray(header.bodyStart, entity.end);
    const { encoding, type } = header;
    const isText = type === '' || type.startsWith('text/');
    if (encoding === 'base64') {
      this.#header(entity, header, null);
      this.pieces.push(base64InLines(body));
    } else if (!IDENTITY.has(encoding) && encoding !== 'quoted-printable') {
      throw this.#refusal(`is in the encoding ${encoding.slice(0, 50)}, which cannot be changed`);
    } else if (type.startsWith('multipart/')) throw this.#refusal('has no boundary');
    else {
      const decoded = decodeTransfer(body, encoding);
      this.#header(entity, header, isText ? 'quoted-printable' : 'base64');
      this.pieces.push(isText ? quotedPrintableOf(decoded) : base64Of(decoded));
    }
  }

  /** The header of an entity, with its folds, and another encoding if its body was encoded again. */
  #header({ start, isMessage }: Entity, { bodyStart }: EntityHeader, encoding: string | null): void {
    const isAffected = this.#change.isAffected(start, bodyStart);
    if (encoding === null && !isAffected) {
      this.#keep(start, bodyStart);
      return;
    }
    if (this.#change.what === null && isAffected) throw new CannotBeCarried(this.#change.sealed);
    const text = this.#message.toString('latin1', start, bodyStart);
    const hasEnd = text === CRLF || text.endsWith(CRLF + CRLF);
    const lines = (hasEnd ? text.slice(0, -2) : text).split(/\r\n(?![ \t])/).filter((line) => line !== '');
    const fields = lines.map(folded);
    const kept = encoding === null ? fields : fields.filter((field) => !ENCODING_FIELD.test(field));
    if (encoding !== null) {
      kept.push(`Content-Transfer-Encoding: ${encoding}`);
      if (isMessage && !fields.some((field) => VERSION_FIELD.test(field))) kept.push('MIME-Version: 1.0');
    }
    const end = hasEnd ? CRLF : '';
    this.pieces.push(Buffer.from(kept.map((field) => field + CRLF).join('') + end, 'latin1'));
  }
}

/** A field whose lines are short enough. */
const folded = (field: string): string =>
  field.length <= MOST_OCTETS ? field : field.split(CRLF).flatMap(foldedLine).join(CRLF);

/** Breaks a line before its last blanks that leave no line of blanks alone, so that unfolding restores it (RFC 5322 2.2.3). */
function foldedLine(line: string): string[] {
  if (line.length <= MOST_OCTETS) return [line];
  const text = withoutBlanksAtEnd(line);
  // An empty line would end the header.
  if (text === '') return [];
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > MOST_OCTETS) {
    let at = from + MOST_OCTETS;
    while (at > from && !isFoldPlace(text, at)) at -= 1;
    if (at === from) throw new CannotBeCarried(unfoldable(line));
    pieces.push(text.slice(from, at));
    from = at;
  }
  return [...pieces, text.slice(from)];
}

const isBlank = (char: string): boolean => char === ' ' || char === '\t';
const isFoldPlace = (text: string, at: number): boolean =>
  isBlank(text.charAt(at)) && !isBlank(text.charAt(at - 1));

function unfoldable(line: string): string {
  const [name] = /^[!-9;-~]{1,70}(?=[ \t]*:)/.exec(line) ?? [];
  return `${name ? `The header field ${name}` : 'A header field'} has a line of more than 998 octets without a blank to fold it at`;
}
