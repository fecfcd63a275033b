import type { LinkTagger } from './link-tags.rules.ts';
import { readHtml } from './plain-text.ts';
import { TextWriter } from './text-writer.ts';

/** The words of a link and its URL, with marks. */
export interface MarkedLink {
  readonly words: string;
  readonly url: string;
}

/** The plain text of HTML with marks in place of values. */
export interface MarkedText {
  readonly text: string;
  /** Links whose words contain a mark: words that equal the URL are written differently. */
  readonly links: readonly MarkedLink[];
  /** The marks in preformatted text, where white space counts. */
  readonly preformatted: ReadonlySet<string>;
  /** The marks beside a URL, whose values begin or end with a letter unless the text is written differently. */
  readonly beforeUrl: ReadonlySet<string>;
  readonly afterUrl: ReadonlySet<string>;
}

/** Writes the text as for any values that are words without white space at their ends. */
export function markedText(html: string, marks: ReadonlySet<string>, tag: LinkTagger | null): MarkedText {
  const writer = new MarkedTextWriter(marks, tag);
  readHtml(html, writer);
  const text = writer.finish().replace(/\r\n?/g, '\n');
  const { links, preformatted, beforeUrl, afterUrl } = writer;
  return { text, links, preformatted, beforeUrl, afterUrl };
}

class MarkedTextWriter extends TextWriter {
  readonly links: MarkedLink[] = [];
  readonly preformatted = new Set<string>();
  readonly beforeUrl = new Set<string>();
  readonly afterUrl = new Set<string>();
  private readonly marks: ReadonlySet<string>;

  constructor(marks: ReadonlySet<string>, tag: LinkTagger | null) {
    super(tag);
    this.marks = marks;
  }

  override text(text: string, isPreformatted: boolean): void {
    if (isPreformatted) for (const char of text) if (this.marks.has(char)) this.preformatted.add(char);
    super.text(text, isPreformatted);
  }

  protected override onLink(words: string, url: string): void {
    if ([...words].some((char) => this.marks.has(char))) this.links.push({ words, url });
  }

  protected override joins(char: string, side: 'before' | 'after'): boolean {
    if (!this.marks.has(char)) return super.joins(char, side);
    (side === 'before' ? this.beforeUrl : this.afterUrl).add(char);
    return true;
  }
}
