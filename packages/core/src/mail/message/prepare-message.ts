import { generalKey, textIn } from '../../audience/topics/topics.rules.ts';
import { type MailLanguage, selectLanguage } from '../../base/lib/mail-languages.ts';
import {
  type CompiledTemplate,
  escapeHtml,
  type FlatTemplate,
  literalTemplate,
  parseTemplate,
  type Rendering,
  SYSTEM_URLS,
} from '../../content/templates/language/index.ts';
import { type EncodedPart, encodePart } from './compiled-part.ts';
import { withoutControls } from './control-characters.ts';
import type { DkimSigner } from './dkim.ts';
import { footerHtml } from './footer.ts';
import { withUtf8 } from './html-charset.ts';
import { asDocument, type DocumentInfo } from './html-document.ts';
import { type LinkTagger, linkTagger, tagText } from './link-tags.rules.ts';
import { cleanHeaderValue, headerLine } from './mail-headers.ts';
import { type MessageDraft, writeMessages } from './message-bytes.ts';
import {
  type LinkBuilder,
  linksOf,
  type MessageContent,
  type MessageRecipient,
  type OwnerLinks,
  type PreviewRecipient,
} from './message-content.ts';
import { type MessageHead, MessageHeaders } from './message-headers.ts';
import { holdsOptOut, pixelHtml, withFooter } from './message-html.ts';
import { type EncodedParts, MessagePlan, marksNeeded } from './message-plan.ts';
import { hasHtmlPart, MimeFrame } from './mime-frame.ts';
import { htmlToText } from './plain-text.ts';
import { withPreheader } from './preheader.ts';
import { tagHtml } from './tagged-html.ts';
import { bodySources } from './text-body.ts';
import { type HtmlPiece, trackHtml, webAddresses } from './tracked-html.ts';

/** A message for one recipient. */
export interface ComposedMessage {
  readonly subject: string;
  /** The whole message with CRLF line ends; dot-stuffing is left to SMTP. */
  readonly mime: Buffer;
}

/** An email as its recipient sees it, without tracking. */
export interface MessagePreview {
  readonly subject: string;
  readonly preheader: string;
  /** null for a message of its text alone */
  readonly html: string | null;
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
  /** An unsigned message. */
  compose(recipient: MessageRecipient, now?: Date): ComposedMessage;
  /** The messages of many recipients, which together hold one buffer; signed, if a signer is given. */
  composeAll(recipients: readonly MessageRecipient[], options?: ComposeOptions): Promise<ComposedMessage[]>;
  preview(recipient: PreviewRecipient): MessagePreview;
}

export interface ComposeOptions {
  /** Signs with DKIM. */
  readonly signer?: DkimSigner | null;
  readonly now?: Date;
}

export interface PrepareOptions {
  /** Renders every message in full, as for templates with tags. */
  readonly neverFlat?: boolean;
  /** Fills in names only, for contents whose rendering reached a limit. */
  readonly plain?: boolean;
}

/** A message before it is joined. */
interface Written {
  readonly subject: string;
  readonly head: MessageHead;
  readonly text: EncodedPart;
  readonly html: EncodedPart | null;
}

/** The parts of a message, encoded. */
interface WrittenParts {
  /** null when it has to be made from the HTML */
  readonly text: EncodedPart | null;
  readonly html: EncodedPart | null;
  readonly holdsOptOut: boolean;
}

interface RenderedBody {
  readonly html: string;
  readonly text: string;
  readonly limited: boolean;
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
  /** The template of the text part; the same one unless the body is text. */
  private readonly textBody: CompiledTemplate;
  /** A text part that is written for itself. */
  private readonly ownText: CompiledTemplate | null;
  private readonly hasHtml: boolean;
  private readonly linkIds: ReadonlyMap<string, number>;
  private readonly headers: MessageHeaders;
  private readonly info: DocumentInfo;
  private readonly frame: MimeFrame;
  private readonly marks: readonly string[] | null;
  private readonly addressBelow: string | null;
  private readonly tagAny: LinkTagger | null;
  /** One per language of the footer; other email contains no translated text. */
  private readonly plans = new Map<string, MessagePlan | null>();

  constructor(given: MessageContent, links: LinkBuilder, options: PrepareOptions) {
    const { literal, text = null } = given;
    this.hasHtml = hasHtmlPart(given);
    const sources = bodySources(withoutControls(given.body), literal);
    const completed = (body: string): string => withPreheader({ ...given, body });
    // Nothing can be tracked in a text.
    const tracking = given.tracking && this.hasHtml;
    const content = { ...given, tracking, body: completed(sources.html) };
    this.content = content;
    this.addressBelow = this.addressFor(given);
    this.links = links;
    this.tagAny = given.utm ? linkTagger(given.utm) : null;
    const { plain = false } = options;
    const compile = (text: string, output: 'html' | 'text'): CompiledTemplate =>
      literal ? literalTemplate(text, output) : parseTemplate(text, output, { plain });
    this.subject = compile(content.subject, 'text');
    this.preheader = compile(content.preheader ?? '', 'text');
    this.body = compile(content.body, 'html');
    this.textBody = sources.text === sources.html ? this.body : compile(completed(sources.text), 'html');
    this.ownText = text === null ? null : compile(withoutControls(text), 'text');
    this.fixedSubject = this.subject.isPlain ? makeSubject(this.subject.render({})) : null;
    // The same for all recipients: a subject of its own for each would need rendering in two places.
    this.info = { language: content.language, title: this.fixedSubject?.text ?? content.projectName };
    this.marks = findMarks(content, this.body.flat);
    this.linkTable = content.tracking ? this.findFixedLinks() : [];
    this.linkIds = new Map(this.linkTable.slice(0, MAX_LINK_TABLE).map((url, id) => [url, id]));
    this.frame = new MimeFrame(content);
    this.headers = new MessageHeaders(content, links, this.frame.contentType);
    this.retainedBytes = (content.body.length + (text?.length ?? 0)) * 4 + this.frame.attachedBytes;
    this.isFlat = this.hasHtml && !options.neverFlat && this.planFor(content.language) !== null;
    if (options.neverFlat) this.marks = null;
  }

  compose(recipient: MessageRecipient, now: Date = new Date()): ComposedMessage {
    const written = this.write(recipient, now);
    const [mime = Buffer.alloc(0)] = writeMessages([this.draft(written, '')]);
    return { subject: written.subject, mime };
  }

  async composeAll(
    recipients: readonly MessageRecipient[],
    { signer = null, now = new Date() }: ComposeOptions = {},
  ): Promise<ComposedMessage[]> {
    const written = recipients.map((recipient) => this.write(recipient, now));
    const signatures = signer && (await Promise.all(written.map((message) => this.sign(message, signer))));
    const drafts = written.map((message, index) => this.draft(message, signatures?.[index] ?? ''));
    const bytes = writeMessages(drafts);
    return written.map(({ subject }, index) => ({ subject, mime: bytes[index] ?? Buffer.alloc(0) }));
  }

  preview(recipient: PreviewRecipient): MessagePreview {
    const links = linksOf(recipient, this.links);
    const subject = this.subject.renderDetailed(recipient.vars);
    const body = this.hasHtml ? this.renderBody(recipient, links) : null;
    const own = this.renderOwnText(recipient, links);
    const preheader = this.preheader.render(recipient.vars);
    return {
      subject: makeSubject(subject.text).text,
      preheader,
      html: body && this.tagged(body.html, recipient, links),
      text: own?.text ?? body?.text ?? '',
      limited: (body?.limited ?? false) || (own?.limited ?? false) || subject.limited,
    };
  }

  private write(recipient: MessageRecipient, now: Date): Written {
    const links = linksOf(recipient, this.links);
    const subject = this.fixedSubject ?? makeSubject(this.subject.render(recipient.vars));
    const { html, text, holdsOptOut } =
      this.writeTextAlone(recipient, links) ??
      this.fillPlan(recipient, links) ??
      this.renderParts(recipient, links);
    const head = this.headers.headOf(recipient, { subjectLine: subject.line, holdsOptOut, links, now });
    return {
      subject: subject.text,
      head,
      html,
      text: text ?? encodePart(this.textOf(recipient, links)),
    };
  }

  private sign({ head, text, html }: Written, signer: DkimSigner): Promise<string> {
    const bodyHash = this.frame.hash(text.canonical(), html?.canonical() ?? '');
    return signer.sign({ headers: head.signed(), bodyHash });
  }

  private draft({ head, text, html }: Written, signature: string): MessageDraft {
    const { lines, isAscii } = head;
    return this.frame.join({ lines: signature + lines, isAscii }, text.encoded, html?.encoded ?? '');
  }

  /** The parts of a flat message; null when this recipient's message must be rendered in full. */
  private fillPlan(recipient: MessageRecipient, links: OwnerLinks): EncodedParts | null {
    if (!this.isFlat) return null;
    const plan = this.planFor(recipient.locale);
    return plan?.fill(recipient, links, this.headers.asksForLinks) ?? null;
  }

  /** The message of a content without HTML; null for any other. */
  private writeTextAlone(recipient: MessageRecipient, links: OwnerLinks): WrittenParts | null {
    const own = this.hasHtml ? null : this.renderOwnText(recipient, links);
    return (
      own && {
        // The frame ends its last line, which is also the last one of the signature (RFC 6376 3.4.4).
        text: encodePart(own.text.trimEnd()),
        html: null,
        holdsOptOut: this.headers.asksForLinks && holdsOptOut(own.text, links),
      }
    );
  }

  /** The text part that was not made together with the HTML. */
  private textOf(recipient: MessageRecipient, links: OwnerLinks): string {
    return (this.renderOwnText(recipient, links) ?? this.renderBody(recipient, links)).text;
  }

  private renderOwnText(recipient: PreviewRecipient, links: OwnerLinks): Rendering | null {
    if (!this.ownText) return null;
    const rendering = this.ownText.renderDetailed(recipient.vars);
    const written = withoutControls(rendering.text);
    const tag = this.taggerFor(recipient, links);
    const text = tag ? tagText(written, tag) : written;
    if (!this.needsFooter()) return { ...rendering, text };
    const footer = htmlToText(this.footer(recipient.locale, escapeHtml(links.manageUrl)));
    return { ...rendering, text: `${text.trimEnd()}\n\n${footer}` };
  }

  private renderParts(recipient: MessageRecipient, links: OwnerLinks): WrittenParts {
    const { html, text, rendered } = this.renderBody(recipient, links);
    return {
      text: encodePart(this.renderOwnText(recipient, links)?.text ?? text),
      html: encodePart(
        this.content.tracking ? this.track(html, recipient, links) : this.tagged(html, recipient, links),
      ),
      holdsOptOut: this.headers.asksForLinks && holdsOptOut(rendered, links),
    };
  }

  private renderBody(recipient: PreviewRecipient, links: OwnerLinks): RenderedBody {
    const rendering: Rendering = this.body.renderDetailed(recipient.vars);
    const footer = this.needsFooter() ? this.footer(recipient.locale, escapeHtml(links.manageUrl)) : '';
    const html = this.document(rendering.text, footer);
    // In plain text, a list stays on one line.
    const inline =
      !this.ownText && (rendering.sawList || this.textBody !== this.body)
        ? this.textBody.renderDetailed(recipient.vars, { inlineLists: true }).text
        : null;
    const text = this.ownText
      ? ''
      : htmlToText(inline === null ? html : this.document(inline, footer), this.taggerFor(recipient, links));
    return { html, text, rendered: rendering.text, limited: rendering.limited };
  }

  private document(body: string, footer: string): string {
    return withUtf8(withoutControls(withFooter(body, footer, this.info)));
  }

  private track(html: string, { emailId, vars }: MessageRecipient, links: OwnerLinks): string {
    const isOwn = this.ownLinks(vars, links);
    const isTracked = (url: string): boolean => this.linkIds.has(url) || !isOwn(url);
    const write = (piece: HtmlPiece): string => {
      if (typeof piece === 'string') return piece;
      if ('pixel' in piece) return pixelHtml(this.links.openPixelUrl(links.open));
      const linkId = this.linkIds.get(piece.click);
      return escapeHtml(
        linkId === undefined
          ? this.links.renderedClickUrl(emailId, piece.click)
          : this.links.clickUrl(links.click, linkId),
      );
    };
    return trackHtml(html, isTracked).map(write).join('');
  }

  /** Whether a URL is a page of Postrider for the recipient. */
  private ownLinks(vars: PreviewRecipient['vars'], links: OwnerLinks): (url: string) => boolean {
    const own = new Set([...[...SYSTEM_URLS].map((name) => vars[name]), links.manageUrl]);
    return (url) => own.has(url) || (this.links.isPublicLink?.(url) ?? false);
  }

  private taggerFor({ vars }: PreviewRecipient, links: OwnerLinks): LinkTagger | null {
    const { tagAny } = this;
    if (!tagAny) return null;
    const isOwn = this.ownLinks(vars, links);
    return (url) => (isOwn(url) ? null : tagAny(url));
  }

  /** HTML that is not tracked, with the tags of its links. */
  private tagged(html: string, recipient: PreviewRecipient, links: OwnerLinks): string {
    const tag = this.taggerFor(recipient, links);
    return tag ? tagHtml(html, tag) : html;
  }

  private needsFooter(): boolean {
    return this.content.type === 'MARKETING' && !this.content.toOther;
  }

  private footer(locale: string | null, manageUrl: string): string {
    const { projectName, topic, language } = this.content;
    return footerHtml(this.languageOf(locale), {
      projectName,
      manageUrl,
      topic: topic && topic.key !== generalKey ? textIn(topic.name, locale, language) : null,
      address: this.addressBelow,
    });
  }

  /** The postal address that the footer has to add. */
  private addressFor({ postalAddress = null, body, text }: MessageContent): string | null {
    if (postalAddress === null || !this.needsFooter()) return null;
    const written = this.hasHtml ? body : (text ?? '');
    return written.includes(postalAddress) || written.includes(escapeHtml(postalAddress))
      ? null
      : postalAddress;
  }

  private languageOf(locale: string | null): MailLanguage {
    return selectLanguage(locale, this.content.language);
  }

  /** URLs without gaps, in the order of the template. */
  private findFixedLinks(): string[] {
    const mark = this.marks?.[0];
    if (mark === undefined) return [];
    const html = asDocument(this.body.skeleton(mark), this.info);
    const urls = webAddresses(html).filter((url) => !url.includes(mark));
    return urls.filter((url) => !this.links.isPublicLink?.(url)).slice(0, MAX_LINK_TABLE + 1);
  }

  private planFor(locale: string | null): MessagePlan | null {
    const { content, links, marks } = this;
    const { flat } = this.body;
    const textFlat = this.ownText ? flat : this.textBody.flat;
    if (!marks || !flat || !textFlat || this.linkTable.length > MAX_LINK_TABLE) return null;
    const language = this.needsFooter() ? this.languageOf(locale) : 'en';
    const known = this.plans.get(language);
    if (known !== undefined) return known;
    const document = (body: string, url: string): string =>
      this.document(body, this.needsFooter() ? this.footer(locale, url) : '');
    const linkIds = content.tracking ? this.linkIds : null;
    const { tagAny } = this;
    // All other links of a flat message are written in its template.
    const tag = tagAny && ((url: string) => (links.isPublicLink?.(url) ? null : tagAny(url)));
    const textLiterals = this.ownText ? null : textFlat.literals;
    const plan = MessagePlan.make({ flat, textLiterals, links, linkIds, tag, marks, document });
    this.plans.set(language, plan);
    return plan;
  }
}

/** Chooses as many characters of the private use area as a plan needs; null when too few of them are absent from the content. */
function findMarks(content: MessageContent, flat: FlatTemplate | null): readonly string[] | null {
  const needed = flat ? marksNeeded(flat) : 1;
  const { body, projectName, subject, topic, postalAddress } = content;
  const written = [body, projectName, subject, ...Object.values(topic?.name ?? {}), postalAddress ?? ''].join(
    '',
  );
  const used = new Set(written.match(/[\ue000-\uf8ff]/g));
  const found: string[] = [];
  for (let code = 0xe000; code <= 0xf8ff && found.length < needed; code++) {
    const char = String.fromCharCode(code);
    if (!used.has(char)) found.push(char);
  }
  return found.length < needed ? null : found;
}

function makeSubject(rendered: string): { text: string; line: string } {
  const text = cleanHeaderValue(rendered);
  return { text, line: headerLine('Subject', text) };
}
