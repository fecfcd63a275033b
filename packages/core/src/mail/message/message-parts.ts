import { isAscii } from 'node:buffer';
import { type HeaderField, readableFields, readParameters } from './header-fields.ts';
import { charsetOf } from './html-charset.ts';
import { fromQuotedPrintable } from './transfer-encodings.ts';

/** A part that holds no other parts, by its place in the message. */
export interface MessagePart {
  readonly fields: readonly HeaderField[];
  /** Media type in lower case; `text/plain` when none is given (RFC 2045 5.2). */
  readonly type: string;
  /** As its Content-Type names it; null when it names none. */
  readonly charset: string | null;
  /** The Content-Transfer-Encoding in lower case. */
  readonly encoding: string;
  /** Whether it is shown as a file: by its disposition, its name or its type. */
  readonly isAttachment: boolean;
  /** Whether it is signed or encrypted, so that nothing in it may be changed. */
  readonly isSealed: boolean;
  /** The header, which ends before its empty line, and the body. */
  readonly headerStart: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** What is read of a message that may be made to be expensive. */
export interface PartLimits {
  /** parts at all depths, those included that hold others */
  readonly parts: number;
  readonly depth: number;
  /** bytes of a header, of the message or of a part */
  readonly headerBytes: number;
}

/** Limits of a message that is sent. */
export const messageLimits: PartLimits = { parts: 1_000, depth: 20, headerBytes: 262_144 };

const CRLF = '\r\n';
/** RFC 2046 5.1.1 allows 70. */
const MAX_BOUNDARY_LENGTH = 200;
const [TAB, SPACE, HYPHEN] = [0x09, 0x20, 0x2d];

/** Where the body of a message begins; its length when it has none. */
export function bodyStartOf(message: Buffer, from = 0, end = message.length): number {
  if (message[from] === 0x0d && message[from + 1] === 0x0a) return from + 2;
  const at = message.subarray(from, end).indexOf(CRLF + CRLF, 0, 'latin1');
  return at === -1 ? end : from + at + 4;
}

export interface ReadParts {
  /** those that hold no others, in their order */
  readonly parts: MessagePart[];
  /** the message is larger than the limits; what lies beyond them is not read */
  readonly isCut: boolean;
}

/** The parts of a message in their order, at any depth (RFC 2046 5.1). A message without parts is one part. */
export function partsOf(message: Buffer, limits = messageLimits): MessagePart[] {
  return readParts(message, limits).parts;
}

/** The parts of a message as far as the limits allow. Every byte is read at most once for each depth. */
export function readParts(message: Buffer, limits = messageLimits): ReadParts {
  const reading: Reading = { message, limits, parts: [], count: 0, isCut: false };
  addParts(reading, { start: 0, end: message.length, depth: 0, isSealed: false });
  return { parts: reading.parts, isCut: reading.isCut };
}

interface Reading extends Pick<ReadParts, 'parts'> {
  readonly message: Buffer;
  readonly limits: PartLimits;
  count: number;
  isCut: boolean;
}

/** A message, or a part of one, by its header. */
export interface EntityHeader {
  readonly fields: readonly HeaderField[];
  /** Media type in lower case; '' when none is given. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** What separates its parts; null when it has none. */
  readonly boundary: string | null;
  /** The Content-Transfer-Encoding in lower case. */
  readonly encoding: string;
  readonly bodyStart: number;
  /** The header is longer than the limit; what lies beyond it is not read. */
  readonly isCut: boolean;
}

/** The header of the entity between two places of a message. */
export function readEntity(
  message: Buffer,
  { start, end }: { start: number; end: number },
  { headerBytes }: Pick<PartLimits, 'headerBytes'> = messageLimits,
): EntityHeader {
  const bodyStart = bodyStartOf(message, start, end);
  const headerEnd = Math.min(bodyStart, start + headerBytes);
  const fields = readableFields(message.toString('latin1', start, headerEnd).replace(/\r\n$/, ''));
  const fieldOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? '';
  const { value: type, parameters } = readParameters(fieldOf('content-type'));
  const boundary = parameters.get('boundary') ?? '';
  const isMultipart =
    type.startsWith('multipart/') && boundary !== '' && boundary.length <= MAX_BOUNDARY_LENGTH;
  return {
    fields,
    type,
    parameters,
    boundary: isMultipart ? boundary : null,
    encoding: /^[^\s;(]*/.exec(fieldOf('content-transfer-encoding').toLowerCase())?.[0] ?? '',
    bodyStart,
    isCut: headerEnd < bodyStart,
  };
}

const SEALED_TYPES = new Set([
  'multipart/signed',
  'multipart/encrypted',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
]);

/** Whether the body of such an entity is signed or encrypted (RFC 1847, RFC 8551). */
export const isSealedType = (type: string): boolean => SEALED_TYPES.has(type);

interface Entity {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly isSealed: boolean;
}

function addParts(reading: Reading, { start, end, depth, isSealed }: Entity): void {
  const { message, limits } = reading;
  const header = readEntity(message, { start, end }, limits);
  const { fields, parameters, boundary, encoding, bodyStart } = header;
  if (header.isCut) reading.isCut = true;
  const isSealedNow = isSealed || isSealedType(header.type);
  if (boundary !== null && depth < limits.depth) {
    for (const inner of splitAt(message, boundary, bodyStart, end)) {
      if (reading.count >= limits.parts) {
        reading.isCut = true;
        return;
      }
      reading.count += 1;
      addParts(reading, { ...inner, depth: depth + 1, isSealed: isSealedNow });
    }
    return;
  }
  if (boundary !== null) reading.isCut = true;
  const type = header.type || 'text/plain';
  const fieldOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? '';
  const disposition = readParameters(fieldOf('content-disposition'));
  const isNamed = [...parameters.keys(), ...disposition.parameters.keys()].some((name) =>
    /^(file)?name\b/.test(name),
  );
  reading.parts.push({
    fields,
    type,
    charset: parameters.get('charset')?.trim() || null,
    encoding,
    isSealed: isSealedNow,
    isAttachment: disposition.value === 'attachment' || isNamed || !/^text\/(plain|html)$/.test(type),
    headerStart: start,
    bodyStart,
    end,
  });
}

/**
 * What lies between the delimiters of a boundary, one after the other. A delimiter is a whole line: the boundary of another part may begin
 * with this one.
 */
export function* splitAt(
  message: Buffer,
  boundary: string,
  from: number,
  end: number,
): Generator<{ start: number; end: number }> {
  const body = message.subarray(0, end);
  const delimiter = `${CRLF}--${boundary}`;
  let open: number | null = null;
  // The first delimiter may begin the body: the line end before it is that of the header.
  let at = body.indexOf(delimiter, Math.max(0, from - CRLF.length), 'latin1');
  while (at !== -1) {
    const after = at + delimiter.length;
    const found = body.indexOf(CRLF, after, 'latin1');
    const lineEnd = found === -1 ? end : found;
    const closes = body[after] === HYPHEN && body[after + 1] === HYPHEN;
    if (isBlankBetween(body, closes ? after + 2 : after, lineEnd)) {
      if (open !== null) yield { start: open, end: Math.max(open, at) };
      open = lineEnd + CRLF.length;
      if (closes || found === -1) return;
    }
    // The line of a delimiter ends with what the next one begins with.
    at = found === -1 ? -1 : body.indexOf(delimiter, found, 'latin1');
  }
  if (open !== null) yield { start: open, end };
}

function isBlankBetween(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
  return at >= to;
}

/**
 * The text of a part as it is shown: in the charset that it names, that of a `<meta>` of HTML, or UTF-8; where none of them fits, in
 * Windows-1252, which has a character for each byte.
 */
export function textOf(message: Buffer, part: MessagePart): string {
  const bytes = decodedBody(message, part);
  return decoded(bytes, part) ?? new TextDecoder(encodingName(part.charset) ?? 'windows-1252').decode(bytes);
}

/** The text of a part, letter for letter; null when its charset is unknown, or a byte has no meaning in it. */
export const exactTextOf = (message: Buffer, part: MessagePart): string | null =>
  decoded(decodedBody(message, part), part);

const decodedBody = (message: Buffer, { bodyStart, end, encoding }: MessagePart): Buffer =>
  decodeTransfer(message.subarray(bodyStart, end), encoding);

function decoded(bytes: Buffer, { charset, type }: MessagePart): string | null {
  // Programs name US-ASCII for what is not: it says no more than no name.
  const isNamed = charset !== null && !(/^(us-)?ascii$/i.test(charset) && !isAscii(bytes));
  const given = isNamed ? charset : type === 'text/html' ? charsetOf(bytes.toString('latin1')) : null;
  const name = given === null ? 'utf-8' : encodingName(given);
  return name === null
    ? null
    : (decodeExactly(bytes, name) ?? (isNamed ? null : decodeExactly(bytes, 'utf-8')));
}

/** The name of a charset as the platform knows it; null for one that it does not know. */
function encodingName(charset: string | null): string | null {
  try {
    return charset === null ? null : new TextDecoder(charset.trim()).encoding;
  } catch {
    return null;
  }
}

function decodeExactly(bytes: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
}
