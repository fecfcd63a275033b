import { escapeHtml } from '../../content/templates/language/index.ts';
import { relaxedBodyHash } from './body-hash.ts';
import { asSevenBit } from './carried-message.ts';
import type { DkimSigner } from './dkim.ts';
import { type HeaderField, readFields } from './header-fields.ts';
import { withUtf8 } from './html-charset.ts';
import { asciiDomain } from './mail-headers.ts';
import { writeMessages } from './message-bytes.ts';
import {
  type LinkBuilder,
  linksOf,
  type MessageContent,
  type MessageRecipient,
  type OwnerLinks,
} from './message-content.ts';
import { ownFieldsOf } from './message-headers.ts';
import { pixelHtml } from './message-html.ts';
import { bodyStartOf, exactTextOf, type MessagePart, partsOf } from './message-parts.ts';
import type { ComposedMessage, ComposeOptions, PreparedMessage } from './prepare-message.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import { type OwnFields, SigningPlan } from './signed-headers.ts';
import { type HtmlPiece, trackHtml } from './tracked-html.ts';

/** A longer URL does not fit into the token of its click. */
const MAX_TRACKED_URL = 2_000;
/** What the re-encoded part says itself. */
const REPLACED_FIELDS = new Set(['content-type', 'content-transfer-encoding']);
const HTML_FIELDS =
  'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n';

type Submitted = Pick<MessageContent, 'from' | 'subject' | 'tracking' | 'sevenBit'>;

/**
 * A message that was submitted by SMTP, for its recipients: as it was given, with the fields that every message has, a signature, and the Message-ID and the
 * date (RFC 5322 3.6) if it has none. With tracking, its HTML part is written again with the links of the recipient, and for a server without 8BITMIME parts that are not
 * ASCII are encoded; nothing else is changed.
 *
 * @param given the whole message, without the fields that submission removes; its lines end with CRLF
 * @throws {TypeError} when its header cannot be read
 * @throws CannotBeCarried when the server does not take 8-bit messages, and it cannot be changed
 */
export function prepareSubmitted(
  given: Buffer,
  content: Submitted,
  links: LinkBuilder,
): Pick<PreparedMessage, 'composeAll' | 'retainedBytes'> {
  const message = content.sevenBit ? asSevenBit(given) : given;
  const prepared = new SubmittedMessage(message, content, links);
  return {
    retainedBytes: message.length,
    composeAll: (recipients, options) => prepared.composeAll(recipients, options),
  };
}

/** A message that is written for one recipient. */
interface Written {
  readonly own: OwnFields;
  /** The fields that the message does not bring, and its own. */
  readonly header: string;
  readonly body: readonly Buffer[];
}

class SubmittedMessage {
  private readonly content: Submitted;
  private readonly links: LinkBuilder;
  private readonly fields: readonly HeaderField[];
  private readonly header: string;
  private readonly body: Buffer;
  private readonly html: TrackedPart | null;
  private readonly plan: SigningPlan;
  private readonly brings: ReadonlySet<string>;
  private hash: string | null = null;

  constructor(message: Buffer, content: Submitted, links: LinkBuilder) {
    const bodyStart = bodyStartOf(message);
    const header = message.toString('utf8', 0, bodyStart).replace(/\r\n$/, '');
    const fields = readFields(header);
    if (!fields) throw new TypeError('The header of the message cannot be read.');
    this.content = content;
    this.links = links;
    this.html = content.tracking ? findHtml(message) : null;
    this.fields = this.html?.isWhole ? withoutEncoding(fields) : fields;
    this.header = this.fields.map(({ text }) => text).join('') + (this.html?.isWhole ? HTML_FIELDS : '');
    this.body = message.subarray(bodyStart);
    this.brings = new Set(fields.map(({ name }) => name));
    const names = ['message-id', 'date'].filter((name) => !this.brings.has(name));
    this.plan = new SigningPlan(this.header, Object.fromEntries(names.map((name) => [name, ''])));
  }

  async composeAll(
    recipients: readonly MessageRecipient[],
    { signer = null, now = new Date() }: ComposeOptions = {},
  ): Promise<ComposedMessage[]> {
    const { subject } = this.content;
    const messages: ComposedMessage[] = [];
    for (const recipient of recipients) {
      const { own, header, body } = this.write(recipient, now);
      const signature = signer ? await this.sign(signer, own, body) : '';
      const attached = body.length === 1 && body[0] ? body[0] : Buffer.concat(body);
      const [mime] = writeMessages([{ text: `${signature}${header}\r\n`, isAscii: false, attached }]);
      messages.push({ subject, mime: mime ?? Buffer.alloc(0) });
    }
    return messages;
  }

  private sign(signer: DkimSigner, own: OwnFields, body: readonly Buffer[]): Promise<string> {
    const bodyHash = this.html ? relaxedBodyHash(...body) : this.sharedHash();
    return signer.sign({ headers: this.plan.select(own), bodyHash });
  }

  /** Without tracking, all recipients get the same body. */
  private sharedHash(): string {
    const hash = this.hash ?? relaxedBodyHash(this.body);
    this.hash = hash;
    return hash;
  }

  private write(recipient: MessageRecipient, now: Date): Written {
    const { emailId } = recipient;
    const { from } = this.content;
    const domain = asciiDomain(from.slice(from.lastIndexOf('@') + 1));
    const own = {
      ...(this.brings.has('message-id') ? {} : { 'message-id': `Message-ID: <${emailId}@${domain}>\r\n` }),
      ...(this.brings.has('date') ? {} : { date: `Date: ${now.toUTCString().replace('GMT', '+0000')}\r\n` }),
    };
    const header = `${ownFieldsOf(recipient)}${Object.values(own).join('')}${this.header}`;
    return { own, header, body: this.html ? this.tracked(this.html, recipient) : [this.body] };
  }

  private tracked({ before, fields, text, after }: TrackedPart, recipient: MessageRecipient): Buffer[] {
    const html = this.track(text, recipient.emailId, linksOf(recipient, this.links));
    const part = Buffer.from(fields + encodeQuotedPrintable(html), 'latin1');
    return [before, part, after];
  }

  private track(html: string, emailId: string, links: OwnerLinks): string {
    const isTracked = (url: string): boolean =>
      url.length <= MAX_TRACKED_URL && !this.links.isPublicLink?.(url);
    const write = (piece: HtmlPiece): string => {
      if (typeof piece === 'string') return piece;
      if ('pixel' in piece) return pixelHtml(this.links.openPixelUrl(links.open));
      return escapeHtml(this.links.renderedClickUrl(emailId, piece.click));
    };
    return trackHtml(html, isTracked).map(write).join('');
  }
}

/** The HTML part of a message, and what surrounds it in the body. */
interface TrackedPart {
  /** The message has no other part: its encoding is named by the header of the message. */
  readonly isWhole: boolean;
  readonly before: Buffer;
  /** The header of the part with its empty line; empty for the whole message. */
  readonly fields: string;
  readonly text: string;
  readonly after: Buffer;
}

/** The HTML part, unless it is signed or encrypted, or its letters are unknown: then it stays as it is, and is not tracked. */
function findHtml(message: Buffer): TrackedPart | null {
  const part = htmlPartOf(partsOf(message));
  const text = part && !part.isSealed ? exactTextOf(message, part) : null;
  if (!part || text === null) return null;
  const bodyStart = bodyStartOf(message);
  const isWhole = part.headerStart === 0;
  const kept = isWhole ? [] : withoutEncoding(part.fields);
  return {
    isWhole,
    before: message.subarray(bodyStart, isWhole ? bodyStart : part.headerStart),
    fields: isWhole ? '' : `${kept.map(({ text }) => text).join('')}${HTML_FIELDS}\r\n`,
    text: withUtf8(text),
    after: message.subarray(part.end),
  };
}

/** The part that mail programs show as HTML. */
export const htmlPartOf = (parts: readonly MessagePart[]): MessagePart | null =>
  parts.find(({ type, isAttachment }) => type === 'text/html' && !isAttachment) ?? null;

const withoutEncoding = (fields: readonly HeaderField[]): HeaderField[] =>
  fields.filter(({ name }) => !REPLACED_FIELDS.has(name));
