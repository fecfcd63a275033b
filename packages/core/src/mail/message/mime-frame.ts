import { createHash, hash } from 'node:crypto';
import { relaxBlanks } from './compiled-part.ts';
import { cleanHeaderValue, headerParameter } from './mail-headers.ts';
import type { MessageDraft } from './message-bytes.ts';
import type { MessageAttachment, MessageContent } from './message-content.ts';

/** The MIME structure of a message around its text and HTML. */
interface Structure {
  /** The header line that declares it. */
  readonly contentType: string;
  readonly beforeText: string;
  readonly beforeHtml: string;
  readonly afterHtml: Buffer;
}

/** Whether a message has an HTML part; otherwise it has its own text alone. */
export const hasHtmlPart = ({ body, text }: Pick<MessageContent, 'body' | 'text'>): boolean =>
  body !== '' || text === null;

/** The messages of one content, without their text and HTML. */
export class MimeFrame {
  /** The header line that declares the structure. */
  readonly contentType: string;
  readonly attachedBytes: number;
  private readonly structure: Structure;
  /** What follows the HTML: a text or, with attachments, bytes. */
  private readonly closing: string;
  private readonly attached: Buffer | null;

  constructor(content: MessageContent) {
    this.structure = makeStructure(content);
    const { contentType, afterHtml } = this.structure;
    const hasAttachments = content.attachments.length > 0;
    this.contentType = contentType;
    this.closing = hasAttachments ? '' : afterHtml.toString('latin1');
    this.attached = hasAttachments ? afterHtml : null;
    this.attachedBytes = this.attached?.length ?? 0;
  }

  /** A message of its headers, with the empty line after them, and encoded parts. */
  join(head: { lines: string; isAscii: boolean }, text: string, html: string): MessageDraft {
    return {
      text: head.lines + this.bodyOf(text, html),
      isAscii: head.isAscii,
      attached: this.attached,
    };
  }

  /** The hash of the body that a signature contains, in base64, from parts in canonical form. */
  hash(text: string, html: string): string {
    const body = this.bodyOf(text, html);
    // RFC 6376 3.4.4: a body of an empty line is an empty one.
    if (!this.attached) return hash('sha256', body === '\r\n' ? '' : body, 'base64');
    return createHash('sha256')
      .update(body, 'latin1')
      .update(canonicalAttachments(this.attached))
      .digest('base64');
  }

  private bodyOf(text: string, html: string): string {
    const { beforeText, beforeHtml } = this.structure;
    return beforeText + text + beforeHtml + html + this.closing;
  }
}

/** Base64 has no blanks, and the headers of attachments none at line ends. */
function canonicalAttachments(parts: Buffer): Buffer {
  if (!parts.includes('  ') && !parts.includes('\t')) return parts;
  return Buffer.from(relaxBlanks(parts.toString('latin1')), 'latin1');
}

const TEXT_PART = partHeaders('text/plain');
const HTML_PART = partHeaders('text/html');
const TYPE = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/;
const PARAMETER = /^\s*[A-Za-z0-9!#$&^_.+-]+=(?:[A-Za-z0-9!#$&^_.+'-]+|"[ -!#-[\]-~]*")\s*$/;

function partHeaders(type: string): string {
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
}

/**
 * `multipart/alternative` of text and HTML; inline attachments next to the HTML in `multipart/related` (RFC 2387),
 * other attachments in an outer `multipart/mixed`.
 */
function makeStructure(content: MessageContent): Structure {
  if (!hasHtmlPart(content)) return makeTextStructure(content);
  const boundary = boundaryOf(content);
  const [mixed, alternative, related] = [`${boundary}_m`, `${boundary}_a`, `${boundary}_r`];
  const inline = content.attachments.filter((attachment) => attachment.disposition === 'inline');
  const attached = content.attachments.filter((attachment) => attachment.disposition !== 'inline');

  const alternativeType = multipart('alternative', alternative);
  let beforeText = `--${alternative}\r\n${TEXT_PART}`;
  let beforeHtml = `\r\n--${alternative}\r\n`;
  const after: (string | Buffer)[] = [];
  if (inline.length > 0) {
    beforeHtml += `${multipart('related', related, '; type="text/html"')}\r\n--${related}\r\n`;
    for (const attachment of inline) after.push(`\r\n--${related}\r\n`, ...encodeAttachment(attachment));
    after.push(`\r\n--${related}--\r\n`);
  }
  beforeHtml += HTML_PART;
  after.push(`\r\n--${alternative}--\r\n`);
  if (attached.length === 0) {
    return { contentType: alternativeType, beforeText, beforeHtml, afterHtml: join(after) };
  }
  beforeText = `--${mixed}\r\n${alternativeType}\r\n${beforeText}`;
  for (const attachment of attached) after.push(`\r\n--${mixed}\r\n`, ...encodeAttachment(attachment));
  after.push(`\r\n--${mixed}--\r\n`);
  return { contentType: multipart('mixed', mixed), beforeText, beforeHtml, afterHtml: join(after) };
}

/** One part, with all attachments beside it: no HTML shows an inline one. */
function makeTextStructure(content: MessageContent): Structure {
  if (content.attachments.length === 0)
    return {
      contentType: TEXT_PART.replace(/\r\n$/, ''),
      beforeText: '',
      beforeHtml: '',
      afterHtml: join(['\r\n']),
    };
  const mixed = `${boundaryOf(content)}_m`;
  const after = content.attachments.flatMap((attachment) => [
    `\r\n--${mixed}\r\n`,
    ...encodeAttachment({ ...attachment, disposition: 'attachment' }),
  ]);
  return {
    contentType: multipart('mixed', mixed),
    beforeText: `--${mixed}\r\n${TEXT_PART}`,
    beforeHtml: '',
    afterHtml: join([...after, `\r\n--${mixed}--\r\n`]),
  };
}

/** The size in bytes of an attachment in a message, without its headers. */
export function encodedLength(bytes: number): number {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / 76) * 2;
}

function multipart(kind: string, boundary: string, more = ''): string {
  return `Content-Type: multipart/${kind}${more};\r\n boundary="${boundary}"\r\n`;
}

/**
 * Equal for equal content. `=_` occurs neither in quoted-printable nor in base64 (RFC 2045 6.7), so no part can
 * contain the boundary.
 */
function boundaryOf(content: MessageContent): string {
  const digest = createHash('sha256').update(content.subject).update('\0').update(content.body);
  if (content.text !== null) digest.update('\0').update(content.text);
  for (const attachment of content.attachments) digest.update('\0').update(attachment.filename);
  return `=_${digest.digest('hex').slice(0, 24)}`;
}

function encodeAttachment(attachment: MessageAttachment): (string | Buffer)[] {
  const id = contentIdOf(attachment);
  const headers =
    `Content-Type: ${safeType(attachment.contentType)}${headerParameter('name', attachment.filename)}\r\n` +
    'Content-Transfer-Encoding: base64\r\n' +
    (id === '' ? '' : `Content-ID: <${id}>\r\n`) +
    `Content-Disposition: ${attachment.disposition}${headerParameter('filename', attachment.filename)}\r\n\r\n`;
  const lines = attachment.content.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
  return [headers, Buffer.from(lines, 'latin1')];
}

/** An arbitrary type from the caller could end the header, or declare a structure that base64 cannot have. */
function safeType(contentType: string): string {
  const [type = '', ...parameters] = cleanHeaderValue(contentType).split(';');
  const name = type.trim();
  if (!TYPE.test(name) || /^(multipart|message)\//i.test(name)) return 'application/octet-stream';
  const known = parameters.filter((parameter) => PARAMETER.test(parameter) && !/^\s*name=/i.test(parameter));
  return [name, ...known.map((parameter) => `\r\n ${parameter.trim()}`)].join(';');
}

/** The id that `cid:` URLs in the HTML refer to; characters that headers cannot contain are percent-encoded, as in such URLs (RFC 2392). */
function contentIdOf(attachment: MessageAttachment): string {
  const id = cleanHeaderValue(attachment.contentId ?? '').replace(/[<>]/g, '');
  const encoded = /^[!-~]*$/.test(id) ? id : encodeURIComponent(id.toWellFormed());
  return encoded.length <= 900 ? encoded : createHash('sha256').update(id).digest('hex');
}

function join(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}
