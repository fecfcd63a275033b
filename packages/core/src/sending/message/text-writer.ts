const COLLAPSIBLE = /[ \t\n\r\f]+/g;
const NEEDS_COLLAPSING = /[\t\n\r\f]| {2}/;

/** The write operations of a text, the same for a finished email and for a template. */
export interface TextSink {
  /** Words whose white space collapses, unless `isPreformatted`. */
  text(words: string, isPreformatted: boolean): void;
  /** The minimum number of line ends before the next words: 1 begins a line, 2 leaves one empty. */
  breakLines(count: 1 | 2): void;
  /** An explicit line end (`<br>`). */
  endLine(): void;
  /** A prefix of the next words. */
  prefix(mark: string): void;
  linkStart(url: string): void;
  linkEnd(): void;
  /** Words that are not shown. */
  skip(words: string): void;
}

/** Pending output before the next words. */
export interface Pending {
  newlines: number;
  space: boolean;
  prefix: string;
}

/** Words with their white space collapsed, and whether white space preceded or followed them. */
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

/** Writes plain text. Splitting words over several calls does not change the result. */
export class TextWriter implements TextSink {
  out = '';
  private started = false;
  private pending: Pending = { newlines: 0, space: false, prefix: '' };
  private inLink = false;
  private linkUrl = '';
  private linkText = '';

  text(text: string, isPreformatted: boolean): void {
    if (text === '') return;
    if (isPreformatted) this.write(spaced(text));
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

  linkStart(url: string): void {
    this.inLink = true;
    this.linkUrl = url;
    this.linkText = '';
  }

  linkEnd(): void {
    const { linkUrl: url, linkText: text } = this;
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

  /** Appends text that was written elsewhere, directly after words. */
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
