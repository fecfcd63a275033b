import { escapeHtml, type FlatTemplate } from '../../templates/language/index.ts';
import { EncodedPlan, type PlanPart } from './encoded-plan.ts';
import type { LinkBuilder, MessageContent, MessageRecipient } from './message-content.ts';
import type { MessageHeaders } from './message-headers.ts';
import { holdsOptOut, pixelHtml, withFooter } from './message-html.ts';
import { TextPlan } from './text-plan.ts';
import { type HtmlPiece, trackHtml } from './tracked-html.ts';

/** Above this total length of its values, a message is rendered in full, where limits apply to the whole part. */
const MAX_FLAT_VALUES = 1_000_000;
/** A URL that needs no escaping in HTML. */
const PLAIN_URL = /^(https?:\/\/[\w\-.~:/?#@!$*+,;=%]*)?$/i;

/** The two parts of a message in quoted-printable. */
export interface EncodedParts {
  readonly text: string;
  readonly html: string;
  readonly holdsOptOut: boolean;
}

interface PlanSource {
  readonly content: MessageContent;
  readonly links: LinkBuilder;
  readonly headers: MessageHeaders;
  readonly linkIds: ReadonlyMap<string, number>;
  readonly marks: readonly [slot: string, manage: string];
  readonly flat: FlatTemplate;
  readonly footer: string;
}

/** A compiled message with gaps. Values of a recipient: the slots, then the manage URL, the pixel, and the clicks. */
export class MessagePlan {
  private readonly source: PlanSource;
  private readonly html: EncodedPlan;
  private readonly text: TextPlan;
  private readonly hasManageUrl: boolean;

  /** Null when the HTML does not keep its gaps in order, so that the message has to be rendered in full. */
  static make(source: PlanSource): MessagePlan | null {
    const { flat, marks, footer } = source;
    const html = withFooter(flat.literals.join(marks[0]), footer);
    const gaps = [...html].filter((char) => char === marks[0] || char === marks[1]);
    let slot = 0;
    const places = gaps.map((char) => (char === marks[0] ? slot++ : flat.slots.length));
    const text = new TextPlan(html, marks.join(''), (count) => places[count] ?? 0);
    if (slot !== flat.slots.length || text.gaps !== gaps.length) return null;
    return new MessagePlan(source, html, text, footer !== '');
  }

  private constructor(source: PlanSource, html: string, text: TextPlan, hasManageUrl: boolean) {
    this.source = source;
    this.text = text;
    this.html = new EncodedPlan(this.toParts(html));
    this.hasManageUrl = hasManageUrl;
  }

  fill(recipient: MessageRecipient): EncodedParts | null {
    const { flat, links, headers } = this.source;
    const { vars } = recipient;
    const htmlValues: string[] = [];
    const textValues: string[] = [];
    let length = 0;
    for (const slot of flat.slots) {
      const value = slot.render(vars);
      if (slot.isSystemUrl && !PLAIN_URL.test(value)) return null;
      length += value.length;
      htmlValues.push(value);
      textValues.push(slot.renderText(vars));
    }
    if (length > MAX_FLAT_VALUES) return null;
    const isOptOut = headers.asksForLinks && holdsOptOut(fillFlat(flat, htmlValues), recipient, links);
    if (!this.addOwnValues(recipient, htmlValues, textValues)) return null;
    return { text: this.text.fill(textValues), html: this.html.fill(htmlValues), holdsOptOut: isOptOut };
  }

  /** False when a generated URL would need escaping in HTML. */
  private addOwnValues(recipient: MessageRecipient, htmlValues: string[], textValues: string[]): boolean {
    const { content, links, linkIds } = this.source;
    if (!this.hasManageUrl && !content.tracking) return true;
    const manageUrl = this.hasManageUrl ? links.manageUrl(recipient) : '';
    if (!PLAIN_URL.test(manageUrl)) return false;
    htmlValues.push(manageUrl);
    textValues.push(manageUrl);
    if (!content.tracking) return true;
    htmlValues.push(pixelHtml(links.openPixelUrl(recipient.emailId)));
    for (let linkId = 0; linkId < linkIds.size; linkId++) {
      htmlValues.push(escapeHtml(links.clickUrl(recipient.emailId, { linkId })));
    }
    return true;
  }

  private toParts(html: string): PlanPart[] {
    const { content, flat, linkIds, marks } = this.source;
    const manageAt = flat.slots.length;
    const pieces: HtmlPiece[] = content.tracking ? trackHtml(html, (url) => linkIds.has(url)) : [html];
    let slot = 0;
    return pieces.flatMap((piece): PlanPart[] => {
      if (typeof piece !== 'string') {
        return ['pixel' in piece ? manageAt + 1 : manageAt + 2 + (linkIds.get(piece.click) ?? 0)];
      }
      return splitAt(piece, marks).map((part) => {
        if (part === marks[0]) return slot++;
        return part === marks[1] ? manageAt : part;
      });
    });
  }
}

/** Splits a text at two characters, which become separate parts. */
function splitAt(text: string, marks: readonly [string, string]): string[] {
  return text.split(marks[0]).flatMap((part, index) => {
    const pieces = part.split(marks[1]).flatMap((piece, i) => (i === 0 ? [piece] : [marks[1], piece]));
    return index === 0 ? pieces : [marks[0], ...pieces];
  });
}

function fillFlat(flat: FlatTemplate, values: readonly string[]): string {
  let html = flat.literals[0] ?? '';
  for (let i = 0; i < flat.slots.length; i++) html += (values[i] ?? '') + (flat.literals[i + 1] ?? '');
  return html;
}
