import { Parser, QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { bodyEnd } from './html-document.ts';

/** A part of tracked HTML: fixed text, a click URL, or the open pixel. */
export type HtmlPiece = string | { readonly click: string } | { readonly pixel: true };

/** The `href` of an `<a>`: the position of its value, and the value with entities decoded. */
interface LinkAddress {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly url: string;
}

const WEB_ADDRESS = /^https?:\/\//i;

/** Splits HTML at every link that `isTracked` accepts and at the place of the pixel. */
export function trackHtml(html: string, isTracked: (url: string) => boolean): HtmlPiece[] {
  const links = findLinks(html).filter((link) => WEB_ADDRESS.test(link.url) && isTracked(link.url));
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

/** The distinct web URLs of this HTML's links, in order. */
export function webAddresses(html: string): string[] {
  const urls = findLinks(html).map((link) => link.url);
  return [...new Set(urls.filter((url) => WEB_ADDRESS.test(url)))];
}

function findLinks(html: string): LinkAddress[] {
  if (!/<a[\s/]/i.test(html)) return [];
  const finder = new LinkFinder(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, finder);
  tokenizer.write(html);
  tokenizer.end();
  return finder.links;
}

/** An attribute's value with its entities decoded. */
function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  let decoded = '';
  const parser = new Parser({ onattribute: (_name, text) => (decoded = text) });
  parser.end(`<a href="${value.replaceAll('"', '&quot;')}">`);
  return decoded;
}

class LinkFinder implements TokenizerCallbacks {
  readonly links: LinkAddress[] = [];
  private readonly html: string;
  private isLink = false;
  private isAddress = false;
  private found = false;
  private start = 0;
  private end = 0;

  constructor(html: string) {
    this.html = html;
  }

  onopentagname(start: number, end: number): void {
    this.isLink = end === start + 1 && /a/i.test(this.html.charAt(start));
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
    this.links.push({ start, end, isQuoted, url: decodeAttribute(this.html.slice(start, end)).trim() });
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
  oncomment(): void {
    // Links in comments are ignored.
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
