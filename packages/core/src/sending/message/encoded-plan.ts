import { asNarrow, encodeQuotedPrintable, fixedPlaces } from './quoted-printable.ts';

/** Text with gaps: a number is the index of its value among the values of a recipient. */
export type PlanPart = string | number;

/** A part that is encoded per recipient; the look-ahead decides whether a line break follows it. */
interface Region {
  readonly parts: readonly PlanPart[];
  readonly lookAhead: string;
}

/**
 * A text part in quoted-printable with gaps. Text between fixed places is encoded once; only the parts around the
 * gaps are encoded for each recipient. The result is byte for byte the same as encoding the filled-in text.
 */
export class EncodedPlan {
  private readonly items: (string | Region)[] = [];

  constructor(parts: readonly PlanPart[]) {
    let region: PlanPart[] = [];
    merge(parts).forEach((part, index, all) => {
      if (typeof part === 'number') {
        region.push(part);
        return;
      }
      const places = fixedPlaces(part);
      // The start and the end of the text are fixed places.
      const first = index === 0 ? 0 : (places?.[0] ?? part.length);
      const last = index === all.length - 1 ? part.length : (places?.[1] ?? 0);
      if (last < first || (first === part.length && index < all.length - 1)) {
        region.push(part);
        return;
      }
      region.push(part.slice(0, first));
      this.addRegion(region, part.slice(first, first + 2));
      this.items.push(asNarrow(encodeQuotedPrintable(part, first, last)));
      region = [part.slice(last)];
    });
    this.addRegion(region, '');
  }

  fill(values: readonly string[]): string {
    let out = '';
    for (const item of this.items) out += typeof item === 'string' ? item : fillRegion(item, values);
    return out;
  }

  private addRegion(parts: readonly PlanPart[], lookAhead: string): void {
    if (parts.every((part) => part === '')) return;
    const narrow = parts.map((part) => (typeof part === 'string' ? asNarrow(part) : part));
    this.items.push({ parts: narrow, lookAhead: asNarrow(lookAhead) });
  }
}

function fillRegion(region: Region, values: readonly string[]): string {
  let text = '';
  for (const part of region.parts) text += typeof part === 'string' ? part : (values[part] ?? '');
  return encodeQuotedPrintable(text + region.lookAhead, 0, text.length);
}

function merge(parts: readonly PlanPart[]): PlanPart[] {
  const merged: PlanPart[] = [];
  for (const part of parts) {
    const last = merged.length - 1;
    if (part === '') continue;
    if (typeof part === 'string' && typeof merged[last] === 'string') merged[last] += part;
    else merged.push(part);
  }
  return merged;
}
