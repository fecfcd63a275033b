import {
  type CompiledTemplate,
  escapeHtml,
  type FlatTemplate,
  parseTemplate,
  type Rendering,
  SYSTEM_URLS,
  type Variables,
} from '../../templates/language/index.ts';
import { EncodedPlan, type PlanPart } from './encoded-plan.ts';
import { footerHtml } from './footer.ts';
import { asDocument, bodyEnd, insertAt } from './html-document.ts';
import { type MailLanguage, selectLanguage } from './language.rules.ts';
import { cleanHeaderValue, headerLine } from './mail-headers.ts';
import type { LinkBuilder, MessageContent, MessageRecipient } from './message-content.ts';
import { MessageHeaders } from './message-headers.ts';
import { type MimeFrame, makeFrame } from './mime-frame.ts';
import { htmlToText } from './plain-text.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import { TextPlan } from './text-plan.ts';
import { type HtmlPiece, trackHtml, webAddresses } from './tracked-html.ts';

/** A message for one recipient. */
export interface ComposedMessage {
  readonly subject: string;
  /** The whole message with CRLF line ends, without DKIM signature; dot-stuffing is left to SMTP. */
  readonly mime: Buffer;
}

/** What a recipient sees, without tracking. */
export interface MessagePreview {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** A content that was read once and is composed for many. */
export interface PreparedMessage {
  /** Whether messages are made by filling gaps instead of rendering each. */
  readonly isFlat: boolean;
  /** The fixed click URLs; a click token's `linkId` is a place in it. The same for the same content. */
  readonly linkTable: readonly string[];
  /** Roughly how many bytes this holds on to; attachments make it large. */
  readonly retainedBytes: number;
  compose(recipient: MessageRecipient, now?: Date): ComposedMessage;
  preview(recipient: MessageRecipient): MessagePreview;
}

export interface PrepareOptions {
  /** Renders every message in full, as it is done for templates with tags. */
  readonly neverFlat?: boolean;
}

/** A click token numbers links in 16 bits; contents with more are rendered in full, the others' URLs in the token. */
const MAX_LINK_TABLE = 60_000;
/** Values that are longer in all are rendered in full, where limits apply to the part as a whole. */
const MAX_FLAT_VALUES = 1_000_000;
/** A URL that reads the same within HTML as outside of it. */
const PLAIN_URL = /^(https?:\/\/[\w\-.~:/?#@!$*+,;=%]*)?$/i;

/**
 * Reads a content for composing.
 * @throws {TemplateSyntaxError} when subject or body cannot be understood.
 */
export function prepareMessage(
  content: MessageContent,
  links: LinkBuilder,
  options: PrepareOptions = {},
): PreparedMessage {
  return new Prepared(content, links, options);
}

class Prepared implements PreparedMessage {
  readonly isFlat: boolean;
  readonly linkTable: readonly string[];
  readonly retainedBytes: number;
  private readonly content: MessageContent;
  private readonly links: LinkBuilder;
  private readonly subject: CompiledTemplate;
  private readonly fixedSubject: { text: string; line: string } | null;
  private readonly body: CompiledTemplate;
  private readonly linkIds: ReadonlyMap<string, number>;
  private readonly headers: MessageHeaders;
  private readonly frame: MimeFrame;
  private readonly marks: readonly [slot: string, manage: string] | null;
  /** One per language of the footer; other mail has no words of ours. */
  private readonly plans = new Map<string, MessagePlan | null>();

  constructor(content: MessageContent, links: LinkBuilder, options: PrepareOptions) {
    this.content = content;
    this.links = links;
    this.subject = parseTemplate(content.subject, 'text');
    this.body = parseTemplate(content.html, 'html');
    this.fixedSubject = this.subject.isPlain ? makeSubject(this.subject.render({})) : null;
    this.marks = findMarks(content);
    this.linkTable = content.tracking ? this.findFixedLinks() : [];
    this.linkIds = new Map(this.linkTable.slice(0, MAX_LINK_TABLE).map((url, id) => [url, id]));
    this.frame = makeFrame(content);
    this.headers = new MessageHeaders(content, links, this.frame.contentType);
    this.retainedBytes = content.html.length * 4 + this.frame.afterHtml.length;
    this.isFlat = !options.neverFlat && this.planFor(content.projectLanguage) !== null;
    if (options.neverFlat) this.marks = null;
  }

  compose(recipient: MessageRecipient, now: Date = new Date()): ComposedMessage {
    const subject = this.fixedSubject ?? makeSubject(this.subject.render(recipient.vars));
    const { text, html, holdsOptOut } = this.fillPlan(recipient) ?? this.renderParts(recipient);
    const head = this.headers.linesFor(recipient, subject.line, holdsOptOut, now);
    const { beforeText, beforeHtml, afterHtml } = this.frame;
    const mime = head + beforeText + text + beforeHtml + html;
    return { subject: subject.text, mime: toBuffer(mime, afterHtml) };
  }

  preview(recipient: MessageRecipient): MessagePreview {
    const subject = this.fixedSubject ?? makeSubject(this.subject.render(recipient.vars));
    const { html, text } = this.renderBody(recipient);
    return { subject: subject.text, html, text };
  }

  /** The parts of a flat message, encoded; null when this recipient's message must be rendered in full. */
  private fillPlan(recipient: MessageRecipient): EncodedParts | null {
    if (!this.isFlat) return null;
    const plan = this.planFor(recipient.locale);
    return plan?.fill(recipient) ?? null;
  }

  private renderParts(recipient: MessageRecipient): EncodedParts {
    const { html, text, rendered } = this.renderBody(recipient);
    const tracked = this.content.tracking ? this.track(html, recipient) : html;
    return {
      text: encodeQuotedPrintable(text),
      html: encodeQuotedPrintable(tracked),
      holdsOptOut: this.headers.asksForLinks && holdsOptOut(rendered, recipient, this.links),
    };
  }

  private renderBody(recipient: MessageRecipient): MessagePreview & { rendered: string } {
    const rendering: Rendering = this.body.renderDetailed(recipient.vars);
    const footer = this.needsFooter()
      ? this.footer(recipient.locale, escapeHtml(this.links.manageUrl(recipient)))
      : '';
    const html = withFooter(rendering.text, footer);
    // In text a list stays on one line.
    const inline = rendering.sawList
      ? this.body.renderDetailed(recipient.vars, { inlineLists: true }).text
      : null;
    const text = htmlToText(inline === null ? html : withFooter(inline, footer));
    return { subject: '', html, text, rendered: rendering.text };
  }

  private track(html: string, recipient: MessageRecipient): string {
    const { emailId, vars } = recipient;
    const own = new Set([...[...SYSTEM_URLS].map((name) => vars[name]), this.links.manageUrl(recipient)]);
    const isTracked = (url: string): boolean =>
      this.linkIds.has(url) || !(own.has(url) || this.links.isPublicLink?.(url));
    const write = (piece: HtmlPiece): string => {
      if (typeof piece === 'string') return piece;
      if ('pixel' in piece) return pixelHtml(this.links.openPixelUrl(emailId));
      const linkId = this.linkIds.get(piece.click);
      const target = linkId === undefined ? { url: piece.click } : { linkId };
      return escapeHtml(this.links.clickUrl(emailId, target));
    };
    return trackHtml(html, isTracked).map(write).join('');
  }

  private needsFooter(): boolean {
    return this.content.class === 'MARKETING';
  }

  private footer(locale: string | null, manageUrl: string): string {
    return footerHtml(this.languageOf(locale), this.content.projectName, manageUrl);
  }

  private languageOf(locale: string | null): MailLanguage {
    return selectLanguage(locale, this.content.projectLanguage);
  }

  /** Addresses without a gap in them, in the order of the template. */
  private findFixedLinks(): string[] {
    const { marks } = this;
    if (!marks) return [];
    const html = asDocument(this.body.skeleton(marks[0]));
    const urls = webAddresses(html).filter((url) => !url.includes(marks[0]));
    return urls.filter((url) => !this.links.isPublicLink?.(url)).slice(0, MAX_LINK_TABLE + 1);
  }

  private planFor(locale: string | null): MessagePlan | null {
    const { marks } = this;
    const { flat } = this.body;
    if (!marks || !flat || this.linkTable.length > MAX_LINK_TABLE) return null;
    const language = this.needsFooter() ? this.languageOf(locale) : 'en';
    const known = this.plans.get(language);
    if (known !== undefined) return known;
    const footer = this.needsFooter() ? this.footer(locale, marks[1]) : '';
    const plan = MessagePlan.make({ ...this, marks, flat, footer });
    this.plans.set(language, plan);
    return plan;
  }
}

interface EncodedParts {
  readonly text: string;
  readonly html: string;
  readonly holdsOptOut: boolean;
}

interface PlanSource {
  readonly content: MessageContent;
  readonly links: LinkBuilder;
  readonly headers: MessageHeaders;
  readonly linkIds: ReadonlyMap<string, number>;
  readonly marks: readonly [slot: string, manage: string];
  readonly flat: FlatTemplate;
  readonly footer: string;
}

/** A finished message with gaps. Values of a recipient: the slots, then the manage URL, the pixel, and the clicks. */
class MessagePlan {
  private readonly source: PlanSource;
  private readonly html: EncodedPlan;
  private readonly text: TextPlan;
  private readonly hasManageUrl: boolean;

  /** Null when the HTML does not keep its gaps in order, so that the message has to be rendered in full. */
  static make(source: PlanSource): MessagePlan | null {
    const { flat, marks, footer } = source;
    const html = withFooter(flat.literals.join(marks[0]), footer);
    const gaps = [...html].filter((char) => char === marks[0] || char === marks[1]);
    let slot = 0;
    const places = gaps.map((char) => (char === marks[0] ? slot++ : flat.slots.length));
    const text = new TextPlan(html, marks.join(''), (count) => places[count] ?? 0);
    if (slot !== flat.slots.length || text.gaps !== gaps.length) return null;
    return new MessagePlan(source, html, text, footer !== '');
  }

  private constructor(source: PlanSource, html: string, text: TextPlan, hasManageUrl: boolean) {
    this.source = source;
    this.text = text;
    this.html = new EncodedPlan(this.toParts(html));
    this.hasManageUrl = hasManageUrl;
  }

  fill(recipient: MessageRecipient): EncodedParts | null {
    const { flat, links, headers } = this.source;
    const { vars } = recipient;
    const htmlValues: string[] = [];
    const textValues: string[] = [];
    let length = 0;
    for (const slot of flat.slots) {
      const value = slot.render(vars);
      if (slot.isSystemUrl && !PLAIN_URL.test(value)) return null;
      length += value.length;
      htmlValues.push(value);
      textValues.push(slot.renderText(vars));
    }
    if (length > MAX_FLAT_VALUES) return null;
    const isOptOut = headers.asksForLinks && holdsOptOut(fillFlat(flat, htmlValues), recipient, links);
    if (!this.addOwnValues(recipient, htmlValues, textValues)) return null;
    return { text: this.text.fill(textValues), html: this.html.fill(htmlValues), holdsOptOut: isOptOut };
  }

  /** False when an address of ours would read differently within HTML. */
  private addOwnValues(recipient: MessageRecipient, htmlValues: string[], textValues: string[]): boolean {
    const { content, links, linkIds } = this.source;
    if (!this.hasManageUrl && !content.tracking) return true;
    const manageUrl = this.hasManageUrl ? links.manageUrl(recipient) : '';
    if (!PLAIN_URL.test(manageUrl)) return false;
    htmlValues.push(manageUrl);
    textValues.push(manageUrl);
    if (!content.tracking) return true;
    htmlValues.push(pixelHtml(links.openPixelUrl(recipient.emailId)));
    for (let linkId = 0; linkId < linkIds.size; linkId++) {
      htmlValues.push(escapeHtml(links.clickUrl(recipient.emailId, { linkId })));
    }
    return true;
  }

  private toParts(html: string): PlanPart[] {
    const { content, flat, linkIds, marks } = this.source;
    const manageAt = flat.slots.length;
    const pieces: HtmlPiece[] = content.tracking ? trackHtml(html, (url) => linkIds.has(url)) : [html];
    let slot = 0;
    return pieces.flatMap((piece): PlanPart[] => {
      if (typeof piece !== 'string') {
        return ['pixel' in piece ? manageAt + 1 : manageAt + 2 + (linkIds.get(piece.click) ?? 0)];
      }
      return splitAt(piece, marks).map((part) => {
        if (part === marks[0]) return slot++;
        return part === marks[1] ? manageAt : part;
      });
    });
  }
}

/** Splits a text at two characters, which stay as parts of their own. */
function splitAt(text: string, marks: readonly [string, string]): string[] {
  return text.split(marks[0]).flatMap((part, index) => {
    const pieces = part.split(marks[1]).flatMap((piece, i) => (i === 0 ? [piece] : [marks[1], piece]));
    return index === 0 ? pieces : [marks[0], ...pieces];
  });
}

/** Two of the first characters of the private use area that the content does not use; null when it uses them all. */
function findMarks(content: MessageContent): readonly [string, string] | null {
  const found: string[] = [];
  for (let code = 0xe000; code <= 0xe03f; code++) {
    const char = String.fromCharCode(code);
    if (content.html.includes(char) || content.projectName.includes(char)) continue;
    found.push(char);
    if (found.length === 2) return [found[0] ?? '', found[1] ?? ''];
  }
  return null;
}

function withFooter(body: string, footer: string): string {
  const html = asDocument(body);
  return footer === '' ? html : insertAt(html, bodyEnd(html), footer);
}

function fillFlat(flat: FlatTemplate, values: readonly string[]): string {
  let html = flat.literals[0] ?? '';
  for (let i = 0; i < flat.slots.length; i++) html += (values[i] ?? '') + (flat.literals[i + 1] ?? '');
  return html;
}

/** Whether the recipient finds a way to opt out in the HTML itself. */
function holdsOptOut(html: string, recipient: MessageRecipient, links: LinkBuilder): boolean {
  const urls = [
    urlOf(recipient.vars, 'unsubscribeUrl') ?? links.unsubscribeUrl(recipient),
    urlOf(recipient.vars, 'manageUrl') ?? links.manageUrl(recipient),
  ];
  return urls.some((url) => html.includes(url) || html.includes(escapeHtml(url)));
}

function urlOf(vars: Variables, name: string): string | null {
  const url = vars[name];
  return typeof url === 'string' && url !== '' ? url : null;
}

function pixelHtml(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0;height:1px;width:1px">`;
}

function makeSubject(rendered: string): { text: string; line: string } {
  const text = cleanHeaderValue(rendered);
  return { text, line: headerLine('Subject', text) };
}

/** Everything is ASCII but addresses beyond it, which stand in UTF-8 (RFC 6532). */
function toBuffer(text: string, tail: Buffer): Buffer {
  const length = Buffer.byteLength(text, 'utf8');
  const buffer = Buffer.allocUnsafe(length + tail.length);
  buffer.write(text, 0, length, length === text.length ? 'latin1' : 'utf8');
  tail.copy(buffer, length);
  return buffer;
}
