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
}

/** Writes the text as for any values that are words without white space at their ends. */
export function markedText(html: string, marks: ReadonlySet<string>): MarkedText {
  const writer = new MarkedTextWriter(marks);
  readHtml(html, writer);
  const text = writer.finish().replace(/\r\n?/g, '\n');
  return { text, links: writer.links, preformatted: writer.preformatted };
}

class MarkedTextWriter extends TextWriter {
  readonly links: MarkedLink[] = [];
  readonly preformatted = new Set<string>();
  private readonly marks: ReadonlySet<string>;

  constructor(marks: ReadonlySet<string>) {
    super();
    this.marks = marks;
  }

  override text(text: string, isPreformatted: boolean): void {
    if (isPreformatted) for (const char of text) if (this.marks.has(char)) this.preformatted.add(char);
    super.text(text, isPreformatted);
  }

  override linkEnd(): void {
    const { linkText: words, linkUrl: url } = this;
    if ([...words].some((char) => this.marks.has(char))) this.links.push({ words, url });
    super.linkEnd();
  }
}
