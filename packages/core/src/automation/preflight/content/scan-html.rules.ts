import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { tagCharacter } from './liquid-tags.rules.ts';

export interface ScannedLink {
  /** undefined without the attribute */
  href: string | undefined;
  /** `<a name>` or `<a id>` is a place to link to */
  isTarget: boolean;
  text: string;
  /** the alternative texts of the images inside */
  alt: string;
  offset: number;
}

export interface ScannedImage {
  attributes: Readonly<Record<string, string>>;
  offset: number;
}

/** What the checks need to know of the HTML of an email. */
export interface ScannedHtml {
  links: ScannedLink[];
  images: ScannedImage[];
  /** ids and names that a link may lead to */
  targets: Set<string>;
  /** the visible text, with blanks in one */
  text: string;
}

/** Elements without visible text. */
const hidden = new Set(['head', 'style', 'script', 'title', 'template', 'noscript']);
/** The attributes that are read. */
const read = new Set(['id', 'name', 'href', 'src', 'alt', 'width']);
/** Links, images and targets that are read; no email that people read has as many. */
const most = 10_000;

/** Reads HTML with the tolerance of a browser. No tree is built, so its time grows only with the length of the HTML. */
export function scanHtml(html: string): ScannedHtml {
  const scanner = new Scanner(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner.result();
}

class Scanner implements TokenizerCallbacks {
  private readonly html: string;
  private readonly links: ScannedLink[] = [];
  private readonly images: ScannedImage[] = [];
  private readonly targets = new Set<string>();
  private readonly texts: string[] = [];
  private link: { found: ScannedLink; texts: string[] } | null = null;
  private hiddenDepth = 0;
  private name = '';
  private offset = 0;
  private attribute = '';
  private value = '';
  private attributes: Record<string, string> = {};

  constructor(html: string) {
    this.html = html;
  }

  result(): ScannedHtml {
    this.endLink();
    const { links, images, targets, texts } = this;
    return { links, images, targets, text: inOneLine(texts.join(' ')) };
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.offset = start - 1;
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    const { attribute, attributes } = this;
    // If an attribute is repeated, the first one counts, as in browsers.
    if (read.has(attribute)) attributes[attribute] ??= this.value;
  }

  onopentagend(): void {
    this.open();
  }

  onselfclosingtag(): void {
    this.open();
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (hidden.has(name)) this.hiddenDepth = Math.max(0, this.hiddenDepth - 1);
    if (name === 'a') this.endLink();
  }

  ontext(start: number, end: number): void {
    this.write(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.write(String.fromCodePoint(codepoint));
  }

  oncomment(): void {
    // Not shown.
  }
  oncdata(): void {
    // Not shown.
  }
  ondeclaration(): void {
    // Not shown.
  }
  onprocessinginstruction(): void {
    // Not shown.
  }
  onend(): void {
    // The result is asked for.
  }

  private open(): void {
    const { name, attributes, offset } = this;
    const { id, name: named } = attributes;
    if (id) this.addTarget(id);
    if (hidden.has(name)) this.hiddenDepth += 1;
    // Where `</head>` is missing, the body ends it.
    else if (name === 'body') this.hiddenDepth = 0;
    if (name === 'a') {
      this.endLink();
      if (named) this.addTarget(named);
      const found = { href: attributes['href'], isTarget: Boolean(id ?? named), text: '', alt: '', offset };
      this.link = { found, texts: [] };
    } else if (name === 'img') {
      if (this.images.length < most) this.images.push({ attributes, offset });
      if (this.link) this.link.found.alt += attributes['alt'] ?? '';
    }
  }

  private write(text: string): void {
    if (this.hiddenDepth > 0) return;
    this.texts.push(text);
    this.link?.texts.push(text);
  }

  private endLink(): void {
    const { link } = this;
    this.link = null;
    if (!link || this.links.length >= most) return;
    this.links.push({ ...link.found, text: inOneLine(link.texts.join('')) });
  }

  private addTarget(name: string): void {
    if (this.targets.size < most) this.targets.add(name);
  }
}

const notShown = new RegExp(`[\\u00AD\\u200B-\\u200D\\u2060\\uFEFF${tagCharacter}]|\\u034F`, 'g');

/** Also without the invisible characters that fill up preheaders, and without tags that write nothing. */
const inOneLine = (text: string): string => text.replace(notShown, '').replace(/\s+/g, ' ').trim();
