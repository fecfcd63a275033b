import { countFillers, hasFillers, isBlankText, isWide, splitAtFillers } from './filler-characters.ts';
import type { LinkTagger } from './link-tags.rules.ts';

const COLLAPSIBLE = /[ \t\n\r\f]+/g;
const NEEDS_COLLAPSING = /[\t\n\r\f]| {2}/;
/** Runs of this many characters that only fill space are left out. */
const FILLER_RUN = 3;
const JOINING = /[\p{L}\p{N}\p{M}\p{Cs}]/u;
const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i;

/** Pending output before the next words. */
interface Pending {
  newlines: number;
  space: '' | ' ' | '  ';
  prefix: string;
}

/** What a link writes, which is known when it ends. */
interface OpenLink {
  readonly url: string;
  /** what was pending before its first words */
  before: Pending | null;
  words: string;
  /** the alternative texts of its images */
  alt: string;
  hasImage: boolean;
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

/** Whether a character beside a URL would be read as part of it. */
export function joinsUrl(char: string): boolean {
  return JOINING.test(char);
}

/** Whether the words of a link are its URL, but for the scheme and a final `/`. */
export function isSameAddress(words: string, url: string): boolean {
  const [one, other] = [withoutSlash(words), withoutSlash(url)];
  const bare = other.replace(SCHEME, '');
  return one === other || one === bare || one.replace(SCHEME, '') === bare;
}

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url);

/** Writes plain text. Splitting words over several calls does not change the result. */
export class TextWriter {
  private out = '';
  private pending: Pending = { newlines: 0, space: '', prefix: '' };
  private link: OpenLink | null = null;
  /** The last character written; reading it from the text would make the cost quadratic. */
  private tail = '';
  private endsWithUrl = false;
  /** Set while only blanks follow a link: whether it had text. */
  private lastLink: { readonly hadText: boolean } | null = null;
  /** Whether the row of cells at this place is one line so far. */
  private row: 'empty' | 'line' | 'blocks' = 'blocks';
  /** Set until the first words of a cell that continues the line of its row. */
  private beginsCell = false;
  /** Characters that only fill space, with the white space after them, until it is known how many there are. */
  private fillers = { text: '', count: 0, isWide: false };
  private readonly tag: LinkTagger | null;

  /** @param tag tags the URLs of links as they are written; whether the words of a link are its URL is decided before */
  constructor(tag: LinkTagger | null = null) {
    this.tag = tag;
  }

  /** Words whose white space collapses, unless `isPreformatted`. */
  text(text: string, isPreformatted: boolean): void {
    if (text === '') return;
    if (isPreformatted) {
      this.endFillers();
      this.write(spaced(text));
    } else if (this.fillers.count === 0 && !hasFillers(text)) {
      this.words(collapse(text));
    } else {
      for (const piece of splitAtFillers(text)) this.piece(piece);
    }
  }

  private piece({ text, isBlank }: { text: string; isBlank: boolean }): void {
    const { fillers } = this;
    const count = isBlank ? countFillers(text) : 0;
    if (!isBlank || (fillers.count === 0 && count === 0)) {
      this.endFillers();
      this.words(collapse(text));
      return;
    }
    // A longer run is left out, so that its text need not be kept.
    if (fillers.count < FILLER_RUN) fillers.text += text;
    fillers.count += count;
    fillers.isWide ||= isWide(text);
  }

  /** Decides about characters that only fill space: a long run is at most one blank. */
  private endFillers(): void {
    const { text, count, isWide: wide } = this.fillers;
    if (count === 0) return;
    this.fillers = { text: '', count: 0, isWide: false };
    if (count < FILLER_RUN) this.words(collapse(text));
    else if (wide) this.space(' ');
  }

  private words({ before, words, after }: Words): void {
    if (before) this.space(' ');
    if (words !== '') this.write(words);
    if (after) this.space(' ');
  }

  private space(space: ' ' | '  '): void {
    if (this.pending.space.length < space.length) this.pending.space = space;
  }

  /**
   * The minimum number of line ends before the next words: 1 begins a line, 2 leaves one empty.
   * @param isPlain of a block that may be the only one of a cell, as editors write it into each
   */
  breakLines(count: 1 | 2, isPlain = false): void {
    this.endFillers();
    if (!isPlain) this.row = 'blocks';
    else if (this.beginsCell) return;
    this.pending.newlines = Math.max(this.pending.newlines, count);
    this.pending.space = '';
  }

  /** An explicit line end (`<br>`). */
  endLine(): void {
    this.endFillers();
    this.beginsCell = false;
    this.pending.newlines = Math.min(2, this.pending.newlines + 1);
    this.pending.space = '';
  }

  /** The begin of a row of cells, on a line of its own. */
  beginRow(): void {
    this.breakLines(1);
    this.row = 'empty';
  }

  /** The gap between the cells of a row. */
  beginCell(): void {
    this.endFillers();
    if (this.row === 'line') {
      this.pending.newlines = 0;
      this.beginsCell = true;
    }
    this.space('  ');
  }

  /** A prefix of the next words. */
  prefix(mark: string): void {
    this.endFillers();
    this.pending.prefix = mark;
  }

  linkStart(url: string): void {
    this.endFillers();
    this.link = { url, before: null, words: '', alt: '', hasImage: false };
  }

  /** An image; in a link its alternative text counts only if there is no other. */
  image(alt: string): void {
    const { link } = this;
    if (!link) {
      this.text(alt, false);
      return;
    }
    link.hasImage = true;
    if (alt.trim() !== '') link.alt += link.alt === '' ? alt : ` ${alt}`;
  }

  /** `isHidden`: only its images can be seen. */
  linkEnd(isHidden = false): void {
    this.endFillers();
    const { link } = this;
    if (!link) return;
    const hadText = !isBlankText(link.words);
    if (!hadText && !this.writeAlt(link, isHidden)) return;
    this.link = null;
    const { words, url, before } = link;
    this.onLink(words, url);
    const isUrl = words === '' || isSameAddress(words, url);
    const after = this.pending;
    if (before) this.pending = before;
    this.separate(hadText, isUrl);
    const written = this.tag?.(url) ?? null;
    this.write(isUrl ? (written ?? (words || url)) : `${words} (${written ?? url})`);
    if (before) this.pending = after;
    this.endsWithUrl = isUrl;
    this.lastLink = { hadText };
  }

  /** The words of a link without text; false if nothing of it can be seen. */
  private writeAlt(link: OpenLink, isHidden: boolean): boolean {
    if (isHidden && !link.hasImage) {
      this.link = null;
      return false;
    }
    link.words = '';
    if (link.before) this.pending = link.before;
    link.before = null;
    this.text(link.alt, false);
    this.endFillers();
    if (isBlankText(link.words)) link.words = '';
    return true;
  }

  /** Called with what each link writes. */
  protected onLink(_words: string, _url: string): void {
    // Only needed for texts with marks.
  }

  /** Whether a character after (before) a URL would be read as part of it. */
  protected joins(char: string, _side: 'before' | 'after'): boolean {
    return joinsUrl(char);
  }

  /** Keeps links apart from each other, and their URLs from letters. */
  private separate(hadText: boolean, isUrl: boolean): void {
    const { pending, lastLink } = this;
    if (pending.newlines > 0) return;
    if (lastLink) {
      if (lastLink.hadText && hadText) this.space(' ');
      else pending.newlines = 1;
    } else if (isUrl && pending.space === '' && this.tail !== '' && this.joins(this.tail, 'before')) {
      this.space(' ');
    }
  }

  finish(): string {
    this.endFillers();
    return this.out === '' ? '' : `${this.out}\n`;
  }

  private write(words: string): void {
    const { link } = this;
    this.beginsCell = false;
    if (link) {
      if (link.before && this.pending.newlines > 0) this.row = 'blocks';
      if (link.before) link.words += this.between(true) + words;
      else {
        link.before = { ...this.pending };
        link.words += words;
      }
    } else {
      const isApart = this.pending.newlines > 0 || this.pending.space !== '';
      if (this.endsWithUrl && !isApart && this.joins(words.charAt(0), 'after')) this.space(' ');
      if (this.row === 'empty') this.row = 'line';
      else if (this.pending.newlines > 0) this.row = 'blocks';
      this.out += this.between(this.tail !== '') + words;
      this.tail = words.at(-1) ?? '';
      this.endsWithUrl = false;
      if (!isBlankText(words)) this.lastLink = null;
    }
    this.pending = { newlines: 0, space: '', prefix: '' };
  }

  private between(isStarted: boolean): string {
    const { newlines, space, prefix } = this.pending;
    if (!isStarted) return prefix;
    return (newlines > 0 ? '\n'.repeat(newlines) : space) + prefix;
  }
}
