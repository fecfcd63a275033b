import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { withoutControls } from './control-characters.ts';
import { isRendered, type Showing } from './hidden-styles.ts';
import type { LinkTagger } from './link-tags.rules.ts';
import { ListMarks } from './list-marks.ts';
import { OpenElements } from './open-elements.ts';
import { TextWriter } from './text-writer.ts';

/** The attributes that decide what is written. */
const READ = new Set(['href', 'alt', 'hidden', 'style', 'start', 'reversed', 'type', 'value']);
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

/**
 * Writes the text of HTML as a browser without style sheets shows it: blocks as paragraphs, list items with their marks, cells with two
 * blanks between them, links as `text (url)`.
 */
export function readHtml(html: string, writer: TextWriter): void {
  // A list that counts down begins with the number of its items, which are only known at its end.
  const sizes = /reversed/i.test(html) ? readOnce(html, new TextWriter(), []) : [];
  readOnce(html, writer, sizes);
}

/** Returns the number of items of each list. */
function readOnce(html: string, writer: TextWriter, sizes: readonly number[]): number[] {
  const reader = new TextReader(html, writer, sizes);
  // No tree is built: that takes quadratic time for unclosed elements.
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.sizes;
}

/** The plain text of an email's HTML. @param tag tags its links */
export function htmlToText(html: string, tag: LinkTagger | null = null): string {
  const writer = new TextWriter(tag);
  readHtml(html, writer);
  // Not earlier: a CRLF may have been written in two halves.
  return writer.finish().replace(/\r\n?/g, '\n');
}

class TextReader implements TokenizerCallbacks {
  /** The number of items of each list that is shown, in the order of the lists. */
  readonly sizes: number[] = [];
  private readonly html: string;
  private readonly writer: TextWriter;
  /** The sizes found by an earlier reading. */
  private readonly known: readonly number[];
  private readonly elements: OpenElements;
  private preformatted = 0;
  /** What is shown of the open link. */
  private link: Showing | null = null;
  /** The open lists, with the place of each in `sizes`. */
  private readonly lists: { marks: ListMarks; index: number }[] = [];
  private tag = '';
  private attribute = '';
  private value = '';
  private readonly attributes = new Map<string, string>();

  constructor(html: string, writer: TextWriter, known: readonly number[]) {
    this.html = html;
    this.writer = writer;
    this.known = known;
    this.elements = new OpenElements((name) => this.end(name));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.attributes.clear();
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
    if (READ.has(attribute) && !attributes.get(attribute)) attributes.set(attribute, this.value);
  }

  onopentagend(): void {
    this.open(this.tag);
  }

  onselfclosingtag(): void {
    // Only foreign elements can end this way.
    if (this.tag !== 'svg' && this.tag !== 'math') this.open(this.tag);
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
    const { elements, attributes } = this;
    elements.endBefore(name);
    const wasShown = elements.showing !== 'nothing';
    const showing = elements.open(name, attributes);
    if (showing === 'nothing') {
      // It takes its place in the list unless it is not rendered at all.
      if (name === 'li' && wasShown && isRendered(attributes)) this.nextMark();
      return;
    }
    this.breakLines(name);
    if (name === 'tr') this.writer.beginRow();
    else if (name === 'br') this.writer.endLine();
    else if (name === 'hr') this.rule();
    else if (name === 'pre') this.preformatted++;
    else if (name === 'td' || name === 'th') this.writer.beginCell();
    else if (name === 'img') this.writer.image(withoutControls(attributes.get('alt') ?? ''));
    else if (name === 'ul' || name === 'ol') this.openList(name);
    else if (name === 'li') this.item();
    else if (name === 'a') this.openLink(attributes.get('href')?.trim() ?? '');
  }

  private close(name: string): void {
    const { elements } = this;
    const wasShown = elements.showing !== 'nothing';
    const closed = elements.close(name);
    if (closed ? closed === 'nothing' : !wasShown) return;
    this.breakLines(name);
  }

  private breakLines(name: string): void {
    if (PARAGRAPHS.has(name)) this.writer.breakLines(2, name === 'p');
    else if (LINES.has(name)) this.writer.breakLines(1, name === 'div');
  }

  /** An element that was shown ends, by its own tag or with the one around it. */
  private end(name: string): void {
    if (name === 'a') this.closeLink();
    else if (name === 'pre') this.preformatted--;
    else if (name === 'ul' || name === 'ol') this.lists.pop();
    // The mark of an empty item is not that of what follows.
    else if (name === 'li') this.writer.prefix('');
  }

  private text(text: string): void {
    if (this.elements.showing === 'all') this.writer.text(withoutControls(text), this.preformatted > 0);
  }

  private rule(): void {
    this.writer.breakLines(2);
    this.writer.text('---', false);
    this.writer.breakLines(2);
  }

  private openList(name: 'ul' | 'ol'): void {
    const index = this.sizes.push(0) - 1;
    const marks = new ListMarks(name, this.attributes, this.known[index] ?? 0);
    this.lists.push({ marks, index });
  }

  private item(): void {
    const indent = '  '.repeat(Math.min(Math.max(0, this.lists.length - 1), 8));
    this.writer.prefix(`${indent}${this.nextMark()} `);
  }

  private nextMark(): string {
    const list = this.lists.at(-1);
    if (!list) return '-';
    this.sizes[list.index] = (this.sizes[list.index] ?? 0) + 1;
    return list.marks.next(this.attributes);
  }

  private openLink(url: string): void {
    this.closeLink();
    if (url === '' || url.startsWith('#') || /^javascript:/i.test(url)) return;
    this.link = this.elements.showing;
    this.writer.linkStart(withoutControls(url));
  }

  private closeLink(): void {
    if (this.link) this.writer.linkEnd(this.link === 'images');
    this.link = null;
  }
}
