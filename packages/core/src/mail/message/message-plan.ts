import { escapeHtml, type FlatTemplate } from '../../content/templates/language/index.ts';
import { CompiledPart, type EncodedPart, encodeValue, type Gap } from './compiled-part.ts';
import { withoutControls } from './control-characters.ts';
import type { LinkTagger } from './link-tags.rules.ts';
import type { ContactUrls, LinkBuilder, MessageRecipient, OwnerLinks } from './message-content.ts';
import { holdsOptOut, pixelHtml } from './message-html.ts';
import { MAX_LINE } from './quoted-printable.ts';
import { tagHtml } from './tagged-html.ts';
import { TextVariants } from './text-variants.ts';
import { trackHtml } from './tracked-html.ts';

/** Above this total length of its values, a message is rendered in full, where limits apply to the whole part. */
const MAX_FLAT_VALUES = 1_000_000;

/** The first gaps of a message; the values of its template follow. */
const TOKENS = ['preferences', 'open', 'click'] as const;
const URLS = ['unsubscribeUrl', 'subscribeUrl', 'manageUrl'] as const satisfies (keyof ContactUrls)[];

/** How many marks the plan of a template needs. */
export const marksNeeded = (flat: FlatTemplate): number => TOKENS.length + flat.slots.length;

/** The two parts of a message in quoted-printable. */
export interface EncodedParts {
  /** Null when it has to be made from the HTML with these values, or from a template of its own. */
  readonly text: EncodedPart | null;
  readonly html: EncodedPart;
  readonly holdsOptOut: boolean;
}

export interface PlanSource {
  readonly flat: FlatTemplate;
  /** The literals of the text part, between the same slots; null where it is a template of its own. */
  readonly textLiterals: readonly string[] | null;
  readonly links: LinkBuilder;
  /** The number of each link to track; null without tracking. */
  readonly linkIds: ReadonlyMap<string, number> | null;
  /** Tags links; null where they have no tags. */
  readonly tag: LinkTagger | null;
  /** Characters of the private use area that occur nowhere in the content. */
  readonly marks: readonly string[];
  /** The document around the body, with its footer. */
  document(body: string, manageUrl: string): string;
}

/** A flat message, compiled for all recipients with the same footer. */
export class MessagePlan {
  private readonly source: PlanSource;
  /** The links of a recipient with marks for tokens. */
  private readonly marked: OwnerLinks;
  /** For each slot, the system URL that it writes, if any. */
  private readonly urls: readonly (keyof ContactUrls | null)[];
  private readonly tokenLengths: readonly number[];
  private readonly html: CompiledPart;
  private readonly text: TextVariants | null;

  /** Null when the message has to be rendered for each recipient. */
  static make(source: PlanSource): MessagePlan | null {
    const [sample] = source.links.linksFor([{ contactId: null, emailId: null }]);
    if (!sample || TOKENS.some((token) => sample[token].length > MAX_LINE)) return null;
    // System URLs are written unescaped.
    if (URLS.some((name) => escapeHtml(sample[name]) !== sample[name])) return null;
    // The value might begin with the rest of a CRLF.
    const literals = [source.flat.literals, source.textLiterals ?? []].flatMap((all) => all.slice(0, -1));
    if (literals.some((literal) => literal.endsWith('\r'))) return null;
    return new MessagePlan(source, sample);
  }

  private constructor(source: PlanSource, sample: OwnerLinks) {
    const { flat, marks } = source;
    this.source = source;
    this.marked = withMarks(sample, marks);
    this.urls = flat.slots.map((slot) => (slot.isSystemUrl ? urlOf(slot) : null));
    this.tokenLengths = TOKENS.map((token) => sample[token].length);
    const gaps = new Map<string, Gap>();
    TOKENS.forEach((_token, index) => {
      gaps.set(marks[index] ?? '', { index, length: this.tokenLengths[index] ?? 0 });
    });
    flat.slots.forEach((_slot, index) => {
      gaps.set(this.markOf(index), { index: TOKENS.length + index, length: null });
    });
    this.html = new CompiledPart(this.track(this.markedHtml(flat.literals, [])), gaps);
    const { textLiterals } = source;
    this.text =
      textLiterals && new TextVariants((empty) => this.markedHtml(textLiterals, empty), gaps, source.tag);
  }

  /** Null when the message of this recipient has to be rendered in full. */
  fill(recipient: MessageRecipient, links: OwnerLinks, asksForOptOut: boolean): EncodedParts | null {
    const { slots } = this.source.flat;
    const { vars } = recipient;
    const values: string[] = [];
    const encoded: string[] = [];
    for (let i = 0; i < TOKENS.length; i++) {
      const token = links[TOKENS[i] ?? 'open'];
      if (token.length !== this.tokenLengths[i]) return null;
      values.push(token);
      encoded.push(token);
    }
    let length = 0;
    let isOptOut = false;
    for (let i = 0; i < slots.length; i++) {
      const url = this.urls[i];
      if (url) {
        if (vars[url] !== links[url]) return null;
        isOptOut ||= url !== 'subscribeUrl';
        values.push(url);
        encoded.push('');
        continue;
      }
      const value = withoutControls(slots[i]?.render(vars) ?? '');
      // The text around it might complete a line end or a character.
      if (value.endsWith('\r') || !value.isWellFormed()) return null;
      if (asksForOptOut) isOptOut ||= holdsOptOut(value, links);
      length += value.length;
      values.push(withoutControls(slots[i]?.renderText(vars) ?? ''));
      encoded.push(encodeValue(value));
    }
    if (length > MAX_FLAT_VALUES) return null;
    return { text: this.text?.fill(values) ?? null, html: this.html.fill(encoded), holdsOptOut: isOptOut };
  }

  private markOf(slot: number): string {
    return this.source.marks[TOKENS.length + slot] ?? '';
  }

  /** The document with marks in place of tokens and values; without the values of these marks. */
  private markedHtml(literals: readonly string[], empty: readonly string[]): string {
    const { flat, document } = this.source;
    let html = literals[0] ?? '';
    flat.slots.forEach((_slot, index) => {
      const url = this.urls[index];
      const mark = this.markOf(index);
      if (url) html += this.marked[url];
      else if (!empty.includes(mark)) html += mark;
      html += literals[index + 1] ?? '';
    });
    return document(html, this.marked.manageUrl);
  }

  private track(html: string): string {
    const { linkIds, links, tag } = this.source;
    if (!linkIds) return tag ? tagHtml(html, tag) : html;
    const pieces = trackHtml(html, (url) => linkIds.has(url));
    return pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        if ('pixel' in piece) return pixelHtml(links.openPixelUrl(this.marked.open));
        return escapeHtml(links.clickUrl(this.marked.click, linkIds.get(piece.click) ?? 0));
      })
      .join('');
  }
}

function withMarks(sample: OwnerLinks, marks: readonly string[]): OwnerLinks {
  const [preferences = '', open = '', click = ''] = marks;
  const mark = (url: string): string => url.replace(sample.preferences, preferences);
  return {
    preferences,
    open,
    click,
    unsubscribeUrl: mark(sample.unsubscribeUrl),
    subscribeUrl: mark(sample.subscribeUrl),
    manageUrl: mark(sample.manageUrl),
  };
}

/** The system URL that a slot writes. */
function urlOf(slot: FlatTemplate['slots'][number]): keyof ContactUrls | null {
  return URLS.find((name) => slot.render({ [name]: 'x' }) === 'x') ?? null;
}
