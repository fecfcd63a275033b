import { Parser } from 'htmlparser2';

/** Elements that say nothing to a reader. */
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
/** Elements that begin on a line of their own. */
const LINES = new Set(
  'address article aside body center dd details div dt fieldset figure figcaption footer form header li main nav section summary tr caption'.split(
    ' ',
  ),
);
const COLLAPSIBLE = /[ \t\n\r\f]+/g;
const NEEDS_COLLAPSING = /[\t\n\r\f]| {2}/;

/** What a text is written with; the same calls are made for a finished mail and for a template. */
export interface TextSink {
  /** Words whose white space collapses, unless `isPreformatted`. */
  text(words: string, isPreformatted: boolean): void;
  /** At least so many line ends before what follows: 1 begins a line, 2 leaves one empty. */
  breakLines(count: 1 | 2): void;
  /** A line end that was asked for (`<br>`). */
  endLine(): void;
  /** Stands before the next words. */
  prefix(mark: string): void;
  linkStart(): void;
  linkEnd(url: string): void;
  /** Words that are not shown. */
  skip(words: string): void;
}

/** Reads HTML into a sink: blocks as paragraphs, `- ` before list items, links as `text (url)`. */
export function readHtml(html: string, sink: TextSink): void {
  const reader = new TextReader(sink);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.text(text),
    },
    { decodeEntities: true },
  );
  parser.end(html);
}

/** The plain text of a mail's HTML. */
export function htmlToText(html: string): string {
  const writer = new TextWriter();
  readHtml(html, writer);
  return writer.finish();
}

class TextReader {
  private readonly sink: TextSink;
  private skipped = 0;
  private preformatted = 0;
  private link: string | null = null;
  /** Numbers of open ordered lists; -1 for unordered ones. */
  private readonly lists: number[] = [];

  constructor(sink: TextSink) {
    this.sink = sink;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (SKIPPED.has(name)) this.skipped++;
    if (this.skipped > 0) return;
    if (PARAGRAPHS.has(name)) this.sink.breakLines(2);
    else if (LINES.has(name)) this.sink.breakLines(1);
    if (name === 'br') this.sink.endLine();
    else if (name === 'hr') this.rule();
    else if (name === 'pre') this.preformatted++;
    else if (name === 'td' || name === 'th') this.sink.text(' ', false);
    else if (name === 'img' && attributes.alt) this.sink.text(attributes.alt, false);
    else if (name === 'ul') this.lists.push(-1);
    else if (name === 'ol') this.lists.push(1);
    else if (name === 'li') this.item();
    else if (name === 'a') this.openLink((attributes.href ?? '').trim());
  }

  close(name: string): void {
    if (SKIPPED.has(name)) this.skipped--;
    if (this.skipped > 0) return;
    if (name === 'a') this.closeLink();
    else if (name === 'pre') this.preformatted--;
    else if (name === 'ul' || name === 'ol') this.lists.pop();
    if (PARAGRAPHS.has(name)) this.sink.breakLines(2);
    else if (LINES.has(name)) this.sink.breakLines(1);
  }

  text(text: string): void {
    if (this.skipped === 0) this.sink.text(text, this.preformatted > 0);
    else this.sink.skip(text);
  }

  private rule(): void {
    this.sink.breakLines(2);
    this.sink.text('---', false);
    this.sink.breakLines(2);
  }

  private item(): void {
    const last = this.lists.length - 1;
    const number = this.lists[last] ?? -1;
    if (number > 0) this.lists[last] = number + 1;
    const indent = '  '.repeat(Math.max(0, last));
    this.sink.prefix(number > 0 ? `${indent}${number}. ` : `${indent}- `);
  }

  private openLink(url: string): void {
    if (this.link !== null) this.closeLink();
    if (url === '' || url.startsWith('#') || /^javascript:/i.test(url)) return;
    this.link = url;
    this.sink.linkStart();
  }

  private closeLink(): void {
    if (this.link === null) return;
    this.sink.linkEnd(this.link);
    this.link = null;
  }
}

/** What is still to be written before the next words. */
export interface Pending {
  newlines: number;
  space: boolean;
  prefix: string;
}

/** Words with their white space collapsed, and whether some of it stood before or after them. */
export interface Words {
  readonly before: boolean;
  readonly words: string;
  readonly after: boolean;
}

export function collapse(text: string): Words {
  const collapsed = NEEDS_COLLAPSING.test(text) ? text.replace(COLLAPSIBLE, ' ') : text;
  const before = collapsed.startsWith(' ');
  const after = collapsed.endsWith(' ');
  const words = before || after ? collapsed.slice(before ? 1 : 0, after ? -1 : undefined) : collapsed;
  return { before, words: spaced(words), after };
}

/** No-break spaces keep HTML from collapsing; in text they are spaces. */
function spaced(text: string): string {
  return text.includes('\u00a0') ? text.replaceAll('\u00a0', ' ') : text;
}

/** Writes plain text. Words written in one call or in several come out the same. */
export class TextWriter implements TextSink {
  out = '';
  private started = false;
  private pending: Pending = { newlines: 0, space: false, prefix: '' };
  private inLink = false;
  private linkText = '';

  text(text: string, isPreformatted: boolean): void {
    if (text === '') return;
    if (isPreformatted) this.write(spaced(text.replace(/\r\n?/g, '\n')));
    else this.words(collapse(text));
  }

  words({ before, words, after }: Words): void {
    if (before) this.pending.space = true;
    if (words !== '') this.write(words);
    if (after) this.pending.space = true;
  }

  breakLines(count: 1 | 2): void {
    this.pending.newlines = Math.max(this.pending.newlines, count);
    this.pending.space = false;
  }

  endLine(): void {
    this.pending.newlines = Math.min(2, this.pending.newlines + 1);
    this.pending.space = false;
  }

  prefix(mark: string): void {
    this.pending.prefix = mark;
  }

  linkStart(): void {
    this.inLink = true;
    this.linkText = '';
  }

  linkEnd(url: string): void {
    const text = this.linkText;
    this.inLink = false;
    if (url === '') return;
    if (text === '') this.write(url);
    else if (text !== url && `mailto:${text}` !== url && `tel:${text}` !== url) this.out += ` (${url})`;
  }

  skip(): void {
    // Nothing to write.
  }

  finish(): string {
    return this.out === '' ? '' : `${this.out}\n`;
  }

  /** Takes over text that was written elsewhere, right after words. */
  append(text: string, pending: Readonly<Pending>): void {
    this.out += text;
    this.pending = { ...pending };
  }

  /** Begins as if words had just been written. */
  startAfterWords(): void {
    this.started = true;
  }

  get unwritten(): Readonly<Pending> {
    return this.pending;
  }

  private write(words: string): void {
    const { pending } = this;
    let between = pending.prefix;
    if (this.started) {
      if (pending.newlines > 0) between = (pending.newlines === 1 ? '\n' : '\n\n') + between;
      else if (pending.space) between = ` ${between}`;
    }
    this.started = true;
    pending.newlines = 0;
    pending.space = false;
    pending.prefix = '';
    this.out += between + words;
    if (this.inLink) this.linkText += this.linkText === '' ? words : between + words;
  }
}
