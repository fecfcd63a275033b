import {
  type CompiledTemplate,
  escapeHtml,
  parseTemplate,
  type Rendering,
  SYSTEM_URLS,
} from '../../templates/language/index.ts';
import { footerHtml } from './footer.ts';
import { asDocument } from './html-document.ts';
import { type MailLanguage, selectLanguage } from './language.rules.ts';
import { cleanHeaderValue, headerLine } from './mail-headers.ts';
import type { LinkBuilder, MessageContent, MessageRecipient, PreviewRecipient } from './message-content.ts';
import { MessageHeaders } from './message-headers.ts';
import { holdsOptOut, pixelHtml, withFooter } from './message-html.ts';
import { type EncodedParts, MessagePlan } from './message-plan.ts';
import { type MimeFrame, makeFrame } from './mime-frame.ts';
import { htmlToText } from './plain-text.ts';
import { withPreheader } from './preheader.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import { type HtmlPiece, trackHtml, webAddresses } from './tracked-html.ts';

/** A message for one recipient. */
export interface ComposedMessage {
  readonly subject: string;
  /** The whole message with CRLF line ends, without DKIM signature; dot-stuffing is left to SMTP. */
  readonly mime: Buffer;
}

/** An email as its recipient sees it, without tracking. */
export interface MessagePreview {
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
  /** A limit of rendering was reached, so variables were filled in and tags omitted. */
  readonly limited: boolean;
}

/** A content, compiled once for many recipients. */
export interface PreparedMessage {
  /** Whether messages are composed by filling gaps instead of rendering each. */
  readonly isFlat: boolean;
  /** The fixed click URLs; the `linkId` of a click token is an index into it. Equal for equal content. */
  readonly linkTable: readonly string[];
  /** Approximate memory use in bytes, mostly of attachments. */
  readonly retainedBytes: number;
  compose(recipient: MessageRecipient, now?: Date): ComposedMessage;
  preview(recipient: PreviewRecipient): MessagePreview;
}

export interface PrepareOptions {
  /** Renders every message in full, as for templates with tags. */
  readonly neverFlat?: boolean;
  /** Fills in names only, for contents whose rendering reached a limit. */
  readonly plain?: boolean;
}

interface RenderedBody extends Omit<MessagePreview, 'subject' | 'preheader'> {
  /** the body alone, without document and footer */
  readonly rendered: string;
}

/** A click token numbers links in 16 bits; contents with more links are rendered in full, and the token carries the URL. */
const MAX_LINK_TABLE = 60_000;

/**
 * Compiles a content.
 * @throws {TemplateSyntaxError} when subject or body cannot be parsed.
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
  private readonly preheader: CompiledTemplate;
  private readonly fixedSubject: { text: string; line: string } | null;
  private readonly body: CompiledTemplate;
  private readonly linkIds: ReadonlyMap<string, number>;
  private readonly headers: MessageHeaders;
  private readonly frame: MimeFrame;
  private readonly marks: readonly [slot: string, manage: string] | null;
  /** One per language of the footer; other email contains no translated text. */
  private readonly plans = new Map<string, MessagePlan | null>();

  constructor(given: MessageContent, links: LinkBuilder, options: PrepareOptions) {
    const content = { ...given, body: withPreheader(given.body, given.preheader) };
    this.content = content;
    this.links = links;
    const { plain = false } = options;
    this.subject = parseTemplate(content.subject, 'text', { plain });
    this.preheader = parseTemplate(content.preheader ?? '', 'text', { plain });
    this.body = parseTemplate(content.body, 'html', { plain });
    this.fixedSubject = this.subject.isPlain ? makeSubject(this.subject.render({})) : null;
    this.marks = findMarks(content);
    this.linkTable = content.tracking ? this.findFixedLinks() : [];
    this.linkIds = new Map(this.linkTable.slice(0, MAX_LINK_TABLE).map((url, id) => [url, id]));
    this.frame = makeFrame(content);
    this.headers = new MessageHeaders(content, links, this.frame.contentType);
    this.retainedBytes = content.body.length * 4 + this.frame.afterHtml.length;
    this.isFlat = !options.neverFlat && this.planFor(content.language) !== null;
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

  preview(recipient: PreviewRecipient): MessagePreview {
    const subject = this.subject.renderDetailed(recipient.vars);
    const { html, text, limited } = this.renderBody(recipient);
    const preheader = this.preheader.render(recipient.vars);
    return {
      subject: makeSubject(subject.text).text,
      preheader,
      html,
      text,
      limited: limited || subject.limited,
    };
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

  private renderBody(recipient: PreviewRecipient): RenderedBody {
    const rendering: Rendering = this.body.renderDetailed(recipient.vars);
    const footer = this.needsFooter()
      ? this.footer(recipient.locale, escapeHtml(this.links.manageUrl(recipient)))
      : '';
    const html = withFooter(rendering.text, footer);
    // In plain text, a list stays on one line.
    const inline = rendering.sawList
      ? this.body.renderDetailed(recipient.vars, { inlineLists: true }).text
      : null;
    const text = htmlToText(inline === null ? html : withFooter(inline, footer));
    return { html, text, rendered: rendering.text, limited: rendering.limited };
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
    return this.content.type === 'MARKETING';
  }

  private footer(locale: string | null, manageUrl: string): string {
    return footerHtml(this.languageOf(locale), this.content.projectName, manageUrl);
  }

  private languageOf(locale: string | null): MailLanguage {
    return selectLanguage(locale, this.content.language);
  }

  /** URLs without gaps, in the order of the template. */
  private findFixedLinks(): string[] {
    const { marks } = this;
    if (!marks) return [];
    const html = asDocument(this.body.skeleton(marks[0]));
    const urls = webAddresses(html).filter((url) => !url.includes(marks[0]));
    return urls.filter((url) => !this.links.isPublicLink?.(url)).slice(0, MAX_LINK_TABLE + 1);
  }

  private planFor(locale: string | null): MessagePlan | null {
    const { content, links, headers, linkIds, marks } = this;
    const { flat } = this.body;
    if (!marks || !flat || this.linkTable.length > MAX_LINK_TABLE) return null;
    const language = this.needsFooter() ? this.languageOf(locale) : 'en';
    const known = this.plans.get(language);
    if (known !== undefined) return known;
    const footer = this.needsFooter() ? this.footer(locale, marks[1]) : '';
    const plan = MessagePlan.make({ content, links, headers, linkIds, marks, flat, footer });
    this.plans.set(language, plan);
    return plan;
  }
}

/** Two of the first characters of the private use area that the content does not use; null when it uses them all. */
function findMarks(content: MessageContent): readonly [string, string] | null {
  const found: string[] = [];
  for (let code = 0xe000; code <= 0xe03f; code++) {
    const char = String.fromCharCode(code);
    if (content.body.includes(char) || content.projectName.includes(char)) continue;
    found.push(char);
    if (found.length === 2) return [found[0] ?? '', found[1] ?? ''];
  }
  return null;
}

function makeSubject(rendered: string): { text: string; line: string } {
  const text = cleanHeaderValue(rendered);
  return { text, line: headerLine('Subject', text) };
}

/** Everything is ASCII except non-ASCII addresses, which are in UTF-8 (RFC 6532). */
function toBuffer(text: string, tail: Buffer): Buffer {
  const length = Buffer.byteLength(text, 'utf8');
  const buffer = Buffer.allocUnsafe(length + tail.length);
  buffer.write(text, 0, length, length === text.length ? 'latin1' : 'utf8');
  tail.copy(buffer, length);
  return buffer;
}
