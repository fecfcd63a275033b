import { type HeaderField, readFields, readParameters } from './header-fields.ts';

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

/** Limits for messages that are made to be expensive; what lies beyond them is one part. */
const MAX_DEPTH = 20;
const MAX_PARTS = 1_000;
const CRLF = '\r\n';

/** Where the body of a message begins; its length when it has none. */
export function bodyStartOf(message: Buffer, from = 0, end = message.length): number {
  if (message[from] === 0x0d && message[from + 1] === 0x0a) return from + 2;
  const at = message.indexOf(CRLF + CRLF, from, 'latin1');
  return at === -1 || at + 4 > end ? end : at + 4;
}

/** The parts of a message in their order, at any depth (RFC 2046 5.1). A message without parts is one part. */
export function partsOf(message: Buffer): MessagePart[] {
  const parts: MessagePart[] = [];
  addParts(message, { start: 0, end: message.length, depth: 0 }, parts);
  return parts;
}

interface Entity {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

function addParts(message: Buffer, { start, end, depth }: Entity, parts: MessagePart[]): void {
  const bodyStart = bodyStartOf(message, start, end);
  const fields = readFields(message.toString('latin1', start, bodyStart).replace(/\r\n$/, '')) ?? [];
  const fieldOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? '';
  const { value, parameters } = readParameters(fieldOf('content-type'));
  const boundary = parameters.get('boundary');
  if (value.startsWith('multipart/') && boundary && depth < MAX_DEPTH) {
    for (const inner of splitAt(message, boundary, bodyStart, end)) {
      if (parts.length >= MAX_PARTS) return;
      addParts(message, { ...inner, depth: depth + 1 }, parts);
    }
    return;
  }
  const type = value || 'text/plain';
  const disposition = readParameters(fieldOf('content-disposition'));
  const isNamed = [...parameters.keys(), ...disposition.parameters.keys()].some((name) =>
    /^(file)?name\b/.test(name),
  );
  parts.push({
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

/** What lies between the delimiters of a boundary. A delimiter begins a line, and may be followed by blanks only. */
function splitAt(
  message: Buffer,
  boundary: string,
  from: number,
  end: number,
): { start: number; end: number }[] {
  const delimiter = `--${boundary}`;
  const found: { start: number; end: number }[] = [];
  let open: number | null = null;
  // The first delimiter may begin the body: the line end before it is that of the header.
  let at = message.indexOf(CRLF + delimiter, Math.max(0, from - 2), 'latin1');
  while (at !== -1 && at < end && found.length < MAX_PARTS) {
    const after = at + CRLF.length + delimiter.length;
    const lineEnd = message.indexOf(CRLF, after, 'latin1');
    const rest = message.toString('latin1', after, Math.min(lineEnd === -1 ? end : lineEnd, after + 100));
    const closes = rest.startsWith('--');
    if (closes || /^[ \t]*$/.test(rest)) {
      if (open !== null) found.push({ start: open, end: Math.max(open, at) });
      open = closes || lineEnd === -1 ? null : lineEnd + CRLF.length;
      if (open === null) return found;
    }
    at = message.indexOf(CRLF + delimiter, open === null ? after : open - CRLF.length, 'latin1');
  }
  if (open !== null) found.push({ start: open, end });
  return found;
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
  const text = body
    .toString('latin1')
    .replace(/[ \t]+(?=\r\n|$)/g, '')
    .replaceAll('=\r\n', '');
  const bytes = text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
