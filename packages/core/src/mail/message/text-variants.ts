import { CompiledPart, type EncodedPart, encodeValue, type Gap } from './compiled-part.ts';
import { isBlankText, mayHoldRun } from './filler-characters.ts';
import type { LinkTagger } from './link-tags.rules.ts';
import { type MarkedLink, type MarkedText, markedText } from './marked-text.ts';
import { collapse, isSameAddress, joinsUrl } from './text-writer.ts';

/** A text part, compiled for recipients for whom the same values are empty. */
interface Variant extends Omit<MarkedText, 'text'> {
  readonly part: CompiledPart;
}

/** More of them are not kept. */
const MAX_VARIANTS = 32;
const NONE: readonly string[] = [];

/**
 * The plain-text part of a flat message. Which spaces and line ends are written depends on which values are empty, so
 * there is a compiled part for each set of empty values that occurs.
 */
export class TextVariants {
  private readonly variants = new Map<string, Variant>();
  private readonly htmlWithout: (empty: readonly string[]) => string;
  private readonly gaps: ReadonlyMap<string, Gap>;
  /** The marks of the values in order of their index. */
  private readonly marks: readonly string[];
  private readonly tag: LinkTagger | null;

  /** @param htmlWithout the HTML with marks, except those of the given values */
  constructor(
    htmlWithout: (empty: readonly string[]) => string,
    gaps: ReadonlyMap<string, Gap>,
    tag: LinkTagger | null,
  ) {
    this.tag = tag;
    this.htmlWithout = htmlWithout;
    this.gaps = gaps;
    this.marks = [...gaps.keys()];
  }

  /** Null when the text of these values has to be made from their HTML. */
  fill(values: readonly string[]): EncodedPart | null {
    const variant = this.variantFor(
      values.includes('') ? this.marks.filter((_mark, index) => values[index] === '') : NONE,
    );
    if (!variant || variant.links.some((link) => this.isAddress(link, values))) return null;
    const encoded: string[] = [];
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? '';
      const mark = this.marks[index] ?? '';
      if (joinsDifferently(variant, mark, value)) return null;
      const words = this.gaps.get(mark)?.length ? value : encodeWords(value, variant.preformatted.has(mark));
      if (words === null) return null;
      encoded.push(words);
    }
    return variant.part.fill(encoded);
  }

  private variantFor(empty: readonly string[]): Variant | null {
    const key = empty === NONE ? '' : empty.join('');
    const known = this.variants.get(key);
    if (known) return known;
    if (this.variants.size >= MAX_VARIANTS) return null;
    const { text, links, ...places } = markedText(this.htmlWithout(empty), new Set(this.marks), this.tag);
    const variant = {
      part: new CompiledPart(text, this.gaps),
      // Equal marks have equal values, so these were already written only once.
      links: links.filter(({ words, url }) => !isSameAddress(words, url)),
      ...places,
    };
    this.variants.set(key, variant);
    return variant;
  }

  /** Whether the words of a link are its address, which is then not written a second time. */
  private isAddress(link: MarkedLink, values: readonly string[]): boolean {
    const words = this.fillMarks(link.words, values);
    const url = this.fillMarks(link.url, values);
    return isSameAddress(words, url);
  }

  private fillMarks(text: string, values: readonly string[]): string {
    return text.replace(/[\ue000-\uf8ff]/g, (char) => {
      const gap = this.gaps.get(char);
      return gap ? (values[gap.index] ?? '') : char;
    });
  }
}

/** Whether a value beside a URL does not begin or end with a letter, as a mark is taken to do. */
function joinsDifferently({ beforeUrl, afterUrl }: Variant, mark: string, value: string): boolean {
  if (value === '') return false;
  return (
    (beforeUrl.has(mark) && !joinsUrl(value.at(-1) ?? '')) ||
    (afterUrl.has(mark) && !joinsUrl(value.charAt(0)))
  );
}

/** The value as words of the text; null when white space at its ends would join that of the text around it. */
function encodeWords(value: string, isPreformatted: boolean): string | null {
  if (value === '') return '';
  if (isPreformatted) return /[\r\u00a0]/.test(value) || isBlankText(value) ? null : encodeValue(value);
  const { before, words, after } = collapse(value);
  return before || after || mayHoldRun(value) ? null : encodeValue(words);
}
