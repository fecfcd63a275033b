const COLLAPSIBLE = /[ \t\n\r\f]+/g;
const NEEDS_COLLAPSING = /[\t\n\r\f]| {2}/;

/** Pending output before the next words. */
interface Pending {
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
export class TextWriter {
  private out = '';
  private started = false;
  private pending: Pending = { newlines: 0, space: false, prefix: '' };
  private inLink = false;
  protected linkUrl = '';
  protected linkText = '';

  /** Words whose white space collapses, unless `isPreformatted`. */
  text(text: string, isPreformatted: boolean): void {
    if (text === '') return;
    if (isPreformatted) this.write(spaced(text));
    else this.words(collapse(text));
  }

  private words({ before, words, after }: Words): void {
    if (before) this.pending.space = true;
    if (words !== '') this.write(words);
    if (after) this.pending.space = true;
  }

  /** The minimum number of line ends before the next words: 1 begins a line, 2 leaves one empty. */
  breakLines(count: 1 | 2): void {
    this.pending.newlines = Math.max(this.pending.newlines, count);
    this.pending.space = false;
  }

  /** An explicit line end (`<br>`). */
  endLine(): void {
    this.pending.newlines = Math.min(2, this.pending.newlines + 1);
    this.pending.space = false;
  }

  /** A prefix of the next words. */
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

  finish(): string {
    return this.out === '' ? '' : `${this.out}\n`;
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
