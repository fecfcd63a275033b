import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { TextWriter } from './text-writer.ts';

/** Elements without text for readers. */
const SKIPPED = new Set([
  'head',
  'title',
  'style',
  'script',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'textarea',
  'select',
  'noembed',
  'noframes',
]);
/** Marks the element of the preheader, which is hidden in the HTML too. */
export const PREHEADER_ATTRIBUTE = 'data-preheader';
/** Elements with an empty line around them. */
const PARAGRAPHS = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'dl',
  'blockquote',
  'table',
  'pre',
]);
/** Elements that begin a new line. */
const LINES = new Set(
  'address article aside body center dd details div dt fieldset figure figcaption footer form header li main nav section summary tr caption'.split(
    ' ',
  ),
);

/** Writes the text of HTML: blocks as paragraphs, `- ` before list items, links as `text (url)`. */
export function readHtml(html: string, writer: TextWriter): void {
  const reader = new TextReader(html, writer);
  // No tree is built: that takes quadratic time for unclosed elements.
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
}

/** The plain text of an email's HTML. */
export function htmlToText(html: string): string {
  const writer = new TextWriter();
  readHtml(html, writer);
  // Not earlier: a CRLF may have been written in two halves.
  return writer.finish().replace(/\r\n?/g, '\n');
}

class TextReader implements TokenizerCallbacks {
  private readonly html: string;
  private readonly writer: TextWriter;
  /** The skipped element, and how many elements of its name are open. */
  private skipped = { name: '', depth: 0 };
  private preformatted = 0;
  private inLink = false;
  /** Numbers of open ordered lists; -1 for unordered ones. */
  private readonly lists: number[] = [];
  private tag = '';
  private attribute = '';
  private value = '';
  private href = '';
  private alt = '';
  private isPreheader = false;

  constructor(html: string, writer: TextWriter) {
    this.html = html;
    this.writer = writer;
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.href = '';
    this.alt = '';
    this.isPreheader = false;
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
    if (this.attribute === PREHEADER_ATTRIBUTE) this.isPreheader = true;
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    // If an attribute is repeated, the first one counts, as in browsers.
    if (this.attribute === 'href') this.href ||= this.value;
    else if (this.attribute === 'alt') this.alt ||= this.value;
  }

  onopentagend(): void {
    this.open(this.tag);
  }

  onselfclosingtag(): void {
    this.open(this.tag);
  }

  onclosetag(start: number, end: number): void {
    this.close(this.html.slice(start, end).toLowerCase());
  }

  ontext(start: number, end: number): void {
    this.text(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.text(String.fromCodePoint(codepoint));
  }

  onend(): void {
    this.closeLink();
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

  private open(name: string): void {
    const { skipped } = this;
    // An unclosed head ends where the body begins.
    if (skipped.name === 'head' && name === 'body') skipped.name = '';
    const isSkipped = SKIPPED.has(name) || (this.isPreheader && name === 'div');
    if (skipped.name === '' && isSkipped) this.skipped = { name, depth: 1 };
    else if (skipped.name === name && name !== '') skipped.depth++;
    if (this.skipped.name !== '') return;
    if (PARAGRAPHS.has(name)) this.writer.breakLines(2);
    else if (LINES.has(name)) this.writer.breakLines(1);
    if (name === 'br') this.writer.endLine();
    else if (name === 'hr') this.rule();
    else if (name === 'pre') this.preformatted++;
    else if (name === 'td' || name === 'th') this.writer.text(' ', false);
    else if (name === 'img' && this.alt !== '') this.writer.text(this.alt, false);
    else if (name === 'ul') this.lists.push(-1);
    else if (name === 'ol') this.lists.push(1);
    else if (name === 'li') this.item();
    else if (name === 'a') this.openLink(this.href.trim());
  }

  private close(name: string): void {
    const { skipped } = this;
    if (skipped.name !== '') {
      if (skipped.name === name && --skipped.depth === 0) skipped.name = '';
      return;
    }
    if (name === 'a') this.closeLink();
    else if (name === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
    else if (name === 'ul' || name === 'ol') this.lists.pop();
    if (PARAGRAPHS.has(name)) this.writer.breakLines(2);
    else if (LINES.has(name)) this.writer.breakLines(1);
  }

  private text(text: string): void {
    if (this.skipped.name === '') this.writer.text(text, this.preformatted > 0);
  }

  private rule(): void {
    this.writer.breakLines(2);
    this.writer.text('---', false);
    this.writer.breakLines(2);
  }

  private item(): void {
    const last = this.lists.length - 1;
    const number = this.lists[last] ?? -1;
    if (number > 0) this.lists[last] = number + 1;
    const indent = '  '.repeat(Math.min(Math.max(0, last), 8));
    this.writer.prefix(number > 0 ? `${indent}${number}. ` : `${indent}- `);
  }

  private openLink(url: string): void {
    this.closeLink();
    if (url === '' || url.startsWith('#') || /^javascript:/i.test(url)) return;
    this.inLink = true;
    this.writer.linkStart(url);
  }

  private closeLink(): void {
    if (this.inLink) this.writer.linkEnd();
    this.inLink = false;
  }
}
