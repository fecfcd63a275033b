import { type HeaderField, readableFields, readParameters, withoutBlanksAtEnd } from './header-fields.ts';

/** A part that holds no other parts, by its place in the message. */
export interface MessagePart {
  readonly fields: readonly HeaderField[];
  /** Media type in lower case; `text/plain` when none is given (RFC 2045 5.2). */
  readonly type: string;
  readonly charset: string;
  /** The Content-Transfer-Encoding in lower case. */
  readonly encoding: string;
  /** Whether it is shown as a file: by its disposition, its name or its type. */
  readonly isAttachment: boolean;
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
  addParts(reading, { start: 0, end: message.length, depth: 0 });
  return { parts: reading.parts, isCut: reading.isCut };
}

interface Reading extends Pick<ReadParts, 'parts'> {
  readonly message: Buffer;
  readonly limits: PartLimits;
  count: number;
  isCut: boolean;
}

interface Entity {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

function addParts(reading: Reading, { start, end, depth }: Entity): void {
  const { message, limits } = reading;
  const bodyStart = bodyStartOf(message, start, end);
  const headerEnd = Math.min(bodyStart, start + limits.headerBytes);
  if (headerEnd < bodyStart) reading.isCut = true;
  const fields = readableFields(message.toString('latin1', start, headerEnd).replace(/\r\n$/, ''));
  const fieldOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? '';
  const { value, parameters } = readParameters(fieldOf('content-type'));
  const boundary = parameters.get('boundary') ?? '';
  const isMultipart =
    value.startsWith('multipart/') && boundary !== '' && boundary.length <= MAX_BOUNDARY_LENGTH;
  if (isMultipart && depth < limits.depth) {
    for (const inner of splitAt(message, boundary, bodyStart, end)) {
      if (reading.count >= limits.parts) {
        reading.isCut = true;
        return;
      }
      reading.count += 1;
      addParts(reading, { ...inner, depth: depth + 1 });
    }
    return;
  }
  if (isMultipart) reading.isCut = true;
  const type = value || 'text/plain';
  const disposition = readParameters(fieldOf('content-disposition'));
  const isNamed = [...parameters.keys(), ...disposition.parameters.keys()].some((name) =>
    /^(file)?name\b/.test(name),
  );
  reading.parts.push({
    fields,
    type,
    charset: parameters.get('charset') ?? 'utf-8',
    encoding: fieldOf('content-transfer-encoding').toLowerCase(),
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
function* splitAt(
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

/** The text of a part; characters of an unknown charset are read as Windows-1252, which has one for each byte. */
export function textOf(message: Buffer, part: MessagePart): string {
  const body = message.subarray(part.bodyStart, part.end);
  return decoderOf(part.charset).decode(decodeTransfer(body, part.encoding));
}

function decoderOf(charset: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(charset.trim() || 'utf-8', { ignoreBOM: false });
  } catch {
    return new TextDecoder('windows-1252');
  }
}

function decodeTransfer(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return body;
  const lines = body.toString('latin1').split(CRLF).map(withoutBlanksAtEnd);
  const text = lines.join(CRLF).replaceAll(`=${CRLF}`, '');
  const bytes = text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
