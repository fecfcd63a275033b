import { Parser, QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { bodyEnd } from './html-document.ts';

/** A part of tracked HTML: fixed text, a click URL, or the open pixel. */
export type HtmlPiece = string | { readonly click: string } | { readonly pixel: true };

/** The `href` of an `<a>` or of a VML element: the position of its value, and the value with entities decoded. */
interface LinkAddress {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly url: string;
}

const WEB_ADDRESS = /^https?:\/\//i;

/**
 * Splits HTML at every link that `isTracked` accepts and at the place of the pixel. What only Outlook reads is part of it: conditional
 * comments (`<!--[if mso]> … <![endif]-->`) and VML (`<v:roundrect href="…">`).
 */
export function trackHtml(html: string, isTracked: (url: string) => boolean): HtmlPiece[] {
  const links = findLinks(html)
    .filter((link) => WEB_ADDRESS.test(link.url) && isTracked(link.url))
    .sort((a, b) => a.start - b.start);
  const end = bodyEnd(html);
  // A `</body>` within a URL does not end the body.
  const pixelAt = links.some((link) => link.start < end && end < link.end) ? html.length : end;
  const pieces: HtmlPiece[] = [];
  let from = 0;
  let pixelDone = false;
  const addPixel = (): void => {
    pieces.push(html.slice(from, pixelAt), { pixel: true });
    from = pixelAt;
    pixelDone = true;
  };
  for (const { start, end: stop, isQuoted, url } of links) {
    if (!pixelDone && start >= pixelAt) addPixel();
    const before = html.slice(from, start);
    if (isQuoted) pieces.push(before, { click: url });
    else pieces.push(`${before}"`, { click: url }, '"');
    from = stop;
  }
  if (!pixelDone) addPixel();
  pieces.push(html.slice(from));
  return pieces;
}

/**
 * The distinct web URLs of this HTML's links: first those of `<a>` elements outside of comments, in order, then those that only Outlook
 * reads. The numbers of links in email that was sent before the latter were tracked stay valid that way.
 */
export function webAddresses(html: string): string[] {
  const urls = findLinks(html).map((link) => link.url);
  return [...new Set(urls.filter((url) => WEB_ADDRESS.test(url)))];
}

/** Links that every client shows, then those that only Outlook reads. */
function findLinks(html: string): LinkAddress[] {
  if (!/<(?:a[\s/]|v:)/i.test(html)) return [];
  const finder = new LinkFinder(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, finder);
  tokenizer.write(html);
  tokenizer.end();
  const outlook = finder.conditional.flatMap(({ start, end }) => {
    const links = findLinks(html.slice(start, end));
    return links.map((link) => ({ ...link, start: link.start + start, end: link.end + start }));
  });
  return [...finder.links, ...finder.vml, ...outlook];
}

/** An attribute's value with its entities decoded. */
function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  let decoded = '';
  const parser = new Parser({ onattribute: (_name, text) => (decoded = text) });
  parser.end(`<a href="${value.replaceAll('"', '&quot;')}">`);
  return decoded;
}

/** The start of a comment whose content Outlook reads. */
const CONDITION = /^\[if [^\]>]*\]>/i;

class LinkFinder implements TokenizerCallbacks {
  /** of `<a>` elements */
  readonly links: LinkAddress[] = [];
  /** of VML elements */
  readonly vml: LinkAddress[] = [];
  /** the contents of conditional comments */
  readonly conditional: { start: number; end: number }[] = [];
  private readonly html: string;
  private isLink = false;
  private isVml = false;
  private isAddress = false;
  private found = false;
  private start = 0;
  private end = 0;

  constructor(html: string) {
    this.html = html;
  }

  onopentagname(start: number, end: number): void {
    const isAnchor = end === start + 1 && /a/i.test(this.html.charAt(start));
    this.isVml = !isAnchor && /^v:/i.test(this.html.slice(start, start + 2));
    this.isLink = isAnchor || this.isVml;
    this.found = false;
  }

  onattribname(start: number, end: number): void {
    // If `href` is repeated, the first one counts, as in browsers.
    this.isAddress = this.isLink && !this.found && this.html.slice(start, end).toLowerCase() === 'href';
    this.start = 0;
    this.end = 0;
  }

  onattribdata(start: number, end: number): void {
    this.start = start;
    this.end = end;
  }

  onattribend(quote: QuoteType): void {
    if (!this.isAddress) return;
    this.isAddress = false;
    this.found = true;
    const { start, end } = this;
    const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
    const link = { start, end, isQuoted, url: decodeAttribute(this.html.slice(start, end)).trim() };
    (this.isVml ? this.vml : this.links).push(link);
  }

  onattribentity(): void {
    // Entities are decoded afterwards.
  }
  ontext(): void {
    // Only links matter here.
  }
  ontextentity(): void {
    // Only links matter here.
  }
  onopentagend(): void {
    this.isLink = false;
  }
  onselfclosingtag(): void {
    this.isLink = false;
  }
  onclosetag(): void {
    // Only links matter here.
  }
  oncomment(start: number, endIndex: number, endOffset: number): void {
    // Links in other comments are ignored.
    const end = endIndex - endOffset;
    const condition = CONDITION.exec(this.html.slice(start, Math.min(end, start + 200)));
    if (condition) this.conditional.push({ start: start + condition[0].length, end });
  }
  oncdata(): void {
    // Only links matter here.
  }
  ondeclaration(): void {
    // Only links matter here.
  }
  onprocessinginstruction(): void {
    // Only links matter here.
  }
  onend(): void {
    // An unfinished tag is not a link.
  }
}
